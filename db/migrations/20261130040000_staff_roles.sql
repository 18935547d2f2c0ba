-- works with: 20261123074100_bike_references.sql
-- Roles of staff beside the admin (decision 91). An owner is an admin with `is_owner`: processes of an earlier version
-- know only the role 'admin', so the owner remains one for them. They treat the other roles as customers.

-- unused since: 20261123074100_bike_references.sql
alter table customers drop constraint customers_role_check;
alter table customers add constraint customers_role_check
  check (role in ('admin', 'editor', 'packer', 'support')) not valid;
alter table customers add column is_owner boolean not null default false;
alter table customers add constraint customers_is_owner_check
  check (not is_owner or coalesce(role, '') = 'admin') not valid;

-- unused since: 20261123074100_bike_references.sql
alter table role_changes drop constraint role_changes_role_check;
alter table role_changes add constraint role_changes_role_check
  check (role in ('owner', 'admin', 'editor', 'packer', 'support')) not valid;

-- The first of the present admins owns the shop.
update customers set is_owner = true where id = (
  select customers.id from customers left join role_changes on customer_id = customers.id
  where customers.role = 'admin' order by role_changes.id, customers.created_at, customers.id limit 1);
