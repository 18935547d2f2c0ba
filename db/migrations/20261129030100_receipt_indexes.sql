-- no transaction
-- works with: 20261123074100_bike_references.sql

create unique index concurrently if not exists product_imports_idempotency_key on product_imports (idempotency_key)
  where idempotency_key is not null;
-- Earlier orders are found by the bar code of a variant that was removed since.
create index concurrently if not exists variants_removed_gtin on variants (gtin)
  where removed_at is not null and gtin is not null;
