-- works with: 20261123074100_bike_references.sql

alter table order_lines validate constraint order_lines_shipment_id_fkey;
