-- Product files on their way into the catalogue: decision 27.

create table product_imports (
  id text primary key,
  file_name text not null,
  state text not null check (state in ('reading', 'checking', 'checked', 'importing', 'done', 'failed')),
  failure text,
  -- The columns that the file has.
  columns text[] not null default '{}',
  rows integer not null default 0,
  -- Rows that the present state is done with.
  done integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  error_count integer not null default 0,
  errors jsonb not null default '[]',
  changes jsonb not null default '[]',
  started_by text references customers,
  started_at timestamptz not null default now(),
  check ((state = 'failed') = (failure is not null))
);

-- The rows of a file that was read, in the columns of products; null where the cell is blank or there is no such column.
create table product_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  -- The product that it is about; null where it adds one, whose id is then `new_id`.
  product_id text,
  new_id text not null,
  id text,
  sku text,
  sku_key text collate "C"
    generated always as (upper(regexp_replace(sku, '[^A-Za-z0-9]', '', 'g'))) stored,
  name text,
  brand text,
  kind text,
  category text,
  price_cents integer,
  stock integer,
  stock_exported integer,
  minimum_quantity integer,
  description text,
  image text,
  supplier text,
  gtin text,
  primary key (import_id, row)
);
