-- works with: 20261123074100_bike_references.sql

alter table product_imports validate constraint product_imports_source;
