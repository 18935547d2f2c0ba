-- no transaction
-- works with: 20261123074100_bike_references.sql

-- The unique index `refunds_idempotency_key` begins with `order_id`, so it finds the refunds of an order.
drop index concurrently if exists refunds_order;
