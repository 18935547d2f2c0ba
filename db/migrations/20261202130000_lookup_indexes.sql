-- no transaction
-- works with: 20261123074100_bike_references.sql

-- A search for bikes reads the other names of each model.
create index concurrently if not exists bike_aliases_model on bike_aliases (model_id, alias_key);
-- Manage Orders asks every 20 s for the orders that were shipped since it was opened.
create index concurrently if not exists orders_shipped on orders (shipped_at) where status = 'shipped';
-- A new path is compared with the targets of all redirects.
create index concurrently if not exists redirects_target_path
  on redirects (lower(regexp_replace(target, '/?([?#].*)?$', ''))) where target is not null;
