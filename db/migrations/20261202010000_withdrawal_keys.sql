-- works with: 20261123074100_bike_references.sql
-- A withdrawal that its form sends again is recorded once.

alter table returns add column idempotency_key text;
