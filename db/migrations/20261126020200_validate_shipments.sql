-- works with: 20261125230000_refunds.sql

alter table order_lines validate constraint order_lines_shipment_id_fkey;
