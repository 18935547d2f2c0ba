-- no transaction
-- works with: 20261123074100_bike_references.sql

-- A buyer has one order with a coupon that can be used once. An order that was cancelled does not count.
create unique index concurrently if not exists orders_coupon_once on orders (coupon_id, customer_email)
  where coupon_once and status not in ('cancelled', 'refunded');
