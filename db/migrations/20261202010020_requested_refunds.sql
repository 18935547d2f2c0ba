-- works with: 20261123074100_bike_references.sql
-- Set while a process requests a refund from the provider, so that an admin does not close it in the meantime.

alter table refunds add column requested_until timestamptz;
