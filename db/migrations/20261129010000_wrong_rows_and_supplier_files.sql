-- works with: 20261123074100_bike_references.sql
-- Imports leave out wrong rows, read the columns of a supplier, and run at a time (decision 81).

-- The cells of the row as they were written. Null: the file was uploaded to an earlier version.
alter table product_import_rows add column cells jsonb;

-- The rows that an import leaves out if it skips errors.
create table wrong_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  cells jsonb not null,
  -- The errors as objects with `column` and `message`. Empty: only another row of the product is wrong.
  errors jsonb not null,
  -- The cell that names the product in a row that could not be read.
  product_key text,
  primary key (import_id, row)
);

-- How the files of a supplier are read.
create table supplier_files (
  supplier text not null check (length(supplier) between 1 and 120),
  kind text not null,
  -- The column of the shop, or null, for each column of the file.
  columns jsonb not null,
  encoding text not null check (encoding in ('auto', 'utf-8', 'windows-1252', 'windows-1250')),
  mode text not null check (mode in ('all', 'existing', 'counts', 'deliveries')),
  primary key (supplier, kind)
);

alter table product_imports
  -- The first row of the file, and the separator of its cells.
  add column header jsonb not null default '[]',
  add column separator text not null default ',',
  add column wrong_rows integer not null default 0,
  add column error_groups jsonb not null default '[]',
  -- Whether the run leaves out the wrong rows.
  add column skips_errors boolean not null default false,
  add column if not exists supplier text,
  -- When a checked file is imported. It stays after the run.
  add column scheduled_for timestamptz;
