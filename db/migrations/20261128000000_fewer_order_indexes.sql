-- no transaction
-- works with: 20261123074100_bike_references.sql

-- Each order wrote into both. Only pieces that a refund returns have one, and `orders_customer` finds the unpaid orders.
create unique index concurrently if not exists stock_movements_of_refund on stock_movements (refund_id, variant_id)
  where refund_id is not null;
drop index concurrently if exists stock_movements_refund;
drop index concurrently if exists orders_unpaid_customer;
