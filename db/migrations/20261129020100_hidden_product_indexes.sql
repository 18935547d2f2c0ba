-- no transaction
-- works with: 20261123074100_bike_references.sql
-- The sort orders of lists, with `hidden`: skipped pages of products for sale need only the index. They also serve earlier
-- versions, which read all products that are not deleted.

create index concurrently if not exists products_in_order on products (created_at, id) include (hidden)
  where deleted_at is null;
create index concurrently if not exists products_in_name_order on products (lower(name), created_at, id)
  include (name, hidden) where deleted_at is null;
create index concurrently if not exists products_in_price_order on products (price_cents, created_at, id)
  include (hidden) where deleted_at is null;
drop index concurrently if exists products_newest;
drop index concurrently if exists products_by_name;
drop index concurrently if exists products_by_price;

-- The lists of admins.
create index concurrently if not exists products_hidden on products (created_at, id)
  where deleted_at is null and hidden;
create index concurrently if not exists products_deleted on products (deleted_at, id) where deleted_at is not null;
create index concurrently if not exists products_supplier on products (supplier, created_at, id)
  where deleted_at is null;
