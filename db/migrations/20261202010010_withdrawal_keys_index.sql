-- no transaction
-- works with: 20261123074100_bike_references.sql

create unique index concurrently if not exists returns_idempotency_key on returns (idempotency_key);
