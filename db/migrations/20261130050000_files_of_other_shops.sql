-- works with: 20261123074100_bike_references.sql
-- Product files of other shops, and files of redirects (decision 92).

alter table product_imports
  -- Remarks on rows that are imported differently, or not at all.
  add column notes jsonb not null default '[]',
  -- The hosts of pictures in the file, with the number of their pictures.
  add column if not exists picture_hosts jsonb not null default '[]',
  -- Numbers of products and old addresses in a file of another shop. Null: another kind of file.
  add column other_shop jsonb;

-- The path of the product in the other shop, in the form of `redirects.path`. Null: a file of this shop.
alter table product_import_rows add column old_path text collate "C";

-- The rows of a file of redirects.
create table redirect_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  -- In the form of `redirects.path`.
  path text collate "C" not null,
  target text not null,
  primary key (import_id, row)
);

-- Option values of other shops are longer.
-- unused since: 20261123074100_bike_references.sql
alter table variants drop constraint variants_size_check;
-- unused since: 20261123074100_bike_references.sql
alter table variants drop constraint variants_colour_check;
alter table variants
  add constraint variants_size_check check (length(size) between 1 and 60) not valid,
  add constraint variants_colour_check check (length(colour) between 1 and 60) not valid;
-- unused since: 20261123074100_bike_references.sql
alter table product_pictures drop constraint product_pictures_colour_check;
alter table product_pictures
  add constraint product_pictures_colour_check check (length(colour) between 1 and 60) not valid;
