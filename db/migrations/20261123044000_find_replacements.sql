-- works with: 20261122205500_job_failures.sql
-- The search for a part number plans less, and reads each step of a chain of replacements by the primary key.

-- The products that replace one with this part number, with the number as it is printed. The replaced product may be
-- deleted, and a chain of replacements has at most 10 products. `strict` keeps Postgres from planning the body as a part
-- of each search.
create or replace function find_replacements(number_key text) returns table (product_id text, sku text)
language sql stable strict rows 1 as $$
  with recursive old as (
    select variants.product_id, variants.sku from variants where sku_key = number_key and removed_at is null
    union all
    select variants.product_id, variants.sku from variants where sku_key = number_key and removed_at is not null
  ), chain as (
    select (select replaced_by from products where id = old.product_id) as id, old.sku, 1 as place from old
    union all
    select (select replaced_by from products where products.id = chain.id), chain.sku, place + 1 from chain
    where id is not null and place < 10
  )
  select id, chain.sku from chain where id is not null $$;
