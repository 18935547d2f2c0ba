-- works with: 20261123074100_bike_references.sql
-- An email that lost its role does not get it back from ADMIN_EMAILS, even if another account has it now.

-- The customer's email at the time of the change. Null: a process of an earlier version made it.
alter table role_changes add column email text;

alter table role_changes disable trigger append_only;
update role_changes set email = customers.email from customers where customers.id = role_changes.customer_id;
alter table role_changes enable trigger append_only;
