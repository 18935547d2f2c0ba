-- works with: 20261123074100_bike_references.sql

alter table variants validate constraint variants_low_stock_check;
