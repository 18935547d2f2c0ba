-- no transaction
-- works with: 20261122205500_job_failures.sql

-- The product page lists the products that it replaces.
create index concurrently if not exists products_replaced_by on products (replaced_by) where replaced_by is not null;
-- The part numbers of deleted products find their replacements.
create index concurrently if not exists variants_removed_sku on variants (sku_key)
  where removed_at is not null and sku_key is not null;
