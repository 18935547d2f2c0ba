-- no transaction
-- works with: 20261123074100_bike_references.sql

-- A paid order has open pieces, or else it is shipped or refunded.
create index concurrently if not exists orders_to_ship on orders (placed_at desc nulls last, id)
  where status = 'paid';
