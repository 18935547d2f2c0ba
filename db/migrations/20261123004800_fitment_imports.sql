-- works with: 20261122205500_job_failures.sql
-- Imports of bikes and of fitments (decision 27).

-- Imports ----------------------------------------------------------------------------------------------------------

alter table product_imports
  add column kind text not null default 'products',
  -- Fitments that the import removes.
  add column removed integer not null default 0,
  -- Models and years of fitments for which the shop has no bike.
  add column years_without_bike integer not null default 0;

-- The rows of a file of fitments. Without a model: the product has no fitments from this source.
create table fitment_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  part_number text not null,
  -- As it was written, and as `toSlug` makes it of the name.
  make text,
  make_slug text,
  model text,
  model_slug text,
  year_from smallint,
  year_to smallint,
  version text,
  position text,
  pieces smallint,
  note text,
  source text not null,
  confirmed_on date,
  -- Set by the check. Null if the shop does not have it.
  product_id text,
  model_id integer,
  -- The fitment of the product with the same key, and whether its other values are the same too.
  fitment_id bigint,
  is_same boolean not null default false,
  -- Whether the import has locked the product, because its fitments differ.
  is_change boolean not null default false,
  primary key (import_id, row)
);
create index fitment_import_rows_product on fitment_import_rows (import_id, product_id);

-- The rows of a file of bikes.
create table bike_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  make text not null,
  make_slug text not null,
  model text not null,
  model_slug text not null,
  year_from smallint not null,
  year_to smallint not null,
  version text not null,
  engine_cc smallint,
  source text not null,
  -- As `bike_aliases.alias_key`.
  aliases text[] not null,
  primary key (import_id, row)
);
