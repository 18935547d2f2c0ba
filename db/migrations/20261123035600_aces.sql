-- works with: 20261122205500_job_failures.sql
-- Imports of fitments in ACES XML, and of the codes in such files (decision 52).

-- Imports ----------------------------------------------------------------------------------------------------------

-- The applications of an ACES file.
create table aces_import_rows (
  import_id text not null references product_imports on delete cascade,
  -- The number of the application.
  row integer not null,
  line integer not null,
  -- 'replace': of a file that replaces all fitments from its source; 'add' and 'delete': of an update.
  action text not null,
  source text not null,
  -- Ids in `aces_codes`.
  base_vehicle integer not null,
  submodel integer,
  position_code integer,
  part_number text not null,
  pieces smallint,
  note text,
  -- Set by the check. Null if the shop does not have it.
  product_id text,
  model_id integer,
  year smallint,
  version text,
  position text,
  primary key (import_id, row)
);

-- The rows of a file of ACES codes.
create table aces_code_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  kind text not null,
  id integer not null,
  make text,
  make_slug text,
  model text,
  model_slug text,
  year smallint,
  value text,
  primary key (import_id, row)
);
