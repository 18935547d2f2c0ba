-- works with: 20261123074100_bike_references.sql

alter table products validate constraint products_attributes;
