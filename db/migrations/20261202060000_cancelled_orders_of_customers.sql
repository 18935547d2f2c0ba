-- no transaction
-- works with: 20261123074100_bike_references.sql

create index concurrently if not exists orders_cancelled_customer
  on orders (customer_id, placed_at desc nulls last, id) where status = 'cancelled';
