-- no transaction
-- works with: 20261123074100_bike_references.sql

create unique index concurrently if not exists refunds_idempotency_key on refunds (order_id, idempotency_key);
