-- no transaction
-- works with: 20261123074100_bike_references.sql

-- A job asks for the refunds that have succeeded lately.
create index concurrently if not exists refunds_succeeded on refunds (updated_at) where status = 'succeeded';
