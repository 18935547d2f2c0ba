-- works with: 20261123074100_bike_references.sql

alter table customers validate constraint customers_role_check;
alter table customers validate constraint customers_is_owner_check;
alter table role_changes validate constraint role_changes_role_check;
