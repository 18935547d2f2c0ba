-- no transaction
-- works with: 20261123074100_bike_references.sql

create index concurrently if not exists refunds_return on refunds (return_id) where return_id is not null;
