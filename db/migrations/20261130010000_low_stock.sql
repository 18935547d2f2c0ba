-- works with: 20261123074100_bike_references.sql
-- The stock at which a variant is ordered again (decision 88). Null: its stock is not watched. No index has the stock, so
-- that a sale writes no index.

alter table variants add low_stock integer;
alter table variants add constraint variants_low_stock_check check (low_stock >= 0) not valid;
alter table product_import_rows add low_stock integer;
