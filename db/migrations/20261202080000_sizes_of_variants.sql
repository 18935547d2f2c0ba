-- no transaction
-- works with: 20261123074100_bike_references.sql

create index concurrently if not exists variants_size on variants (lower(size))
  where removed_at is null and size is not null;
