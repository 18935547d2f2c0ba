-- works with: 20261123074100_bike_references.sql
-- A print of the next packing slips is repeated after a lost response (decision 80).

-- The idempotency key of the print that took the order; null for a print by ids, and for a process of an earlier version.
alter table orders add column slip_run text;
