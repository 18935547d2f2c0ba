-- no transaction
-- works with: 20261123074100_bike_references.sql

-- An order reserves stock once and releases it once. Parts of it can come back with several refunds, each once.
create unique index concurrently if not exists stock_movements_once on stock_movements (order_id, variant_id, kind)
  where kind in ('sale', 'release');
create unique index concurrently if not exists stock_movements_refund on stock_movements (refund_id, variant_id);
drop index concurrently if exists stock_movements_order_key;
