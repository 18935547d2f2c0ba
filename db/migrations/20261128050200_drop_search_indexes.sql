-- no transaction
-- works with: 20261123074100_bike_references.sql
-- An earlier version still searches without them, but slower. Each order is placed faster.

drop index concurrently if exists orders_search;
drop index concurrently if exists order_lines_search;
drop index concurrently if exists customers_search;
