-- works with: 20261122205500_job_failures.sql
-- Part numbers of other makers in the search and in files, and replaced products.

-- Fitment: search -------------------------------------------------------------------------------------------------

-- The products that replace one with this part number, with the number as it is printed. The replaced product may be
-- deleted, and a chain of replacements has at most 10 products.
create function find_replacements(number_key text) returns table (product_id text, sku text)
language sql stable rows 1 as $$
  with recursive old as (
    select variants.product_id, variants.sku from variants where sku_key = number_key and removed_at is null
    union all
    select variants.product_id, variants.sku from variants where sku_key = number_key and removed_at is not null
  ), chain as (
    select replaced_by as id, old.sku, 1 as place from old join products on id = old.product_id
    where replaced_by is not null
    union all
    select replaced_by, chain.sku, place + 1 from chain join products using (id)
    where replaced_by is not null and place < 10
  )
  select id, chain.sku from chain $$;

-- Imports ----------------------------------------------------------------------------------------------------------

-- The rows of a file of part numbers. Without a number: the product has none.
create table part_number_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  part_number text not null,
  kind text,
  maker text not null,
  number text,
  -- As in `part_numbers`.
  number_key text collate "C" generated always as (upper(regexp_replace(number, '[^A-Za-z0-9]', '', 'g'))) stored,
  -- Set by the check. Null if the shop does not have it.
  product_id text,
  -- Whether the product has this number, and whether it is written in the same way.
  is_stored boolean not null default false,
  is_same boolean not null default false,
  -- Whether the import has locked the product, because its numbers differ.
  is_change boolean not null default false,
  primary key (import_id, row)
);
create index part_number_import_rows_product on part_number_import_rows (import_id, product_id);
