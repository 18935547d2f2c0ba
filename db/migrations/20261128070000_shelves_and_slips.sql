-- works with: 20261123074100_bike_references.sql
-- Where a variant is stored, and when the packing slip of an order was printed.

alter table variants add shelf text;
alter table variants add constraint variants_shelf_check check (length(shelf) between 1 and 20) not valid;
alter table product_import_rows add shelf text;
alter table orders add slip_printed_at timestamptz;
