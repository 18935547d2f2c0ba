-- no transaction
-- works with: 20261123074100_bike_references.sql

-- Each order counts the unpaid orders of its customer or network.
create index concurrently if not exists orders_unpaid_customer on orders (customer_id, placed_at)
  where status = 'unpaid' and customer_id is not null;
create index concurrently if not exists orders_unpaid_ip on orders (counted_ip)
  where status = 'unpaid' and counted_ip is not null;
create unique index concurrently if not exists orders_guest_request_key on orders (guest_request_key)
  where guest_request_key is not null;
