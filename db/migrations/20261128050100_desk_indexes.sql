-- no transaction
-- works with: 20261123074100_bike_references.sql

create index concurrently if not exists orders_unindexed on orders (placed_at desc nulls last, id)
  where not is_indexed;
create index concurrently if not exists orders_cancelled on orders (placed_at desc nulls last, id)
  where status in ('cancelled', 'refunded');
create index concurrently if not exists customers_document on customers using gin (person_document(name, email, phone));
