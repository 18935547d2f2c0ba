-- no transaction
-- works with: 20261123074100_bike_references.sql

create index concurrently if not exists customers_staff on customers (id) where role is not null;
create index concurrently if not exists role_changes_of_customer on role_changes (customer_id, id);
