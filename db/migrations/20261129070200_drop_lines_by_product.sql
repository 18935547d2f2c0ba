-- no transaction
-- works with: 20261123074100_bike_references.sql
-- Each order wrote into it, and no query reads it: products are never deleted.

drop index concurrently if exists order_lines_product;
