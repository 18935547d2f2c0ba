-- no transaction
-- works with: 20261123074100_bike_references.sql
-- Two lists of admins read an index instead of all rows.

-- By supplier: with `hidden`, up to 100,000 products are counted in the index.
create index concurrently if not exists products_of_supplier on products (supplier, created_at, id) include (hidden)
  where deleted_at is null;
drop index concurrently if exists products_supplier;

-- With low stock: only the watched variants are read. The index does not have the stock, so that a sale writes no index.
create index concurrently if not exists variants_watched on variants (product_id)
  where removed_at is null and low_stock is not null;
