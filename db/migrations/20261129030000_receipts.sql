-- works with: 20261123074100_bike_references.sql
-- Goods in and stocktakes by scan are imports, which have the stock at once (decision 83).

alter table product_imports
  -- Of goods in or a stocktake: a repeated request changes nothing.
  add column idempotency_key text,
  add column request_hash bytea;

-- unused since: 20261123074100_bike_references.sql
alter table product_imports drop constraint product_imports_source;
alter table product_imports add constraint product_imports_source
  check (source in ('file', 'selection', 'scan', 'undo')) not valid;
