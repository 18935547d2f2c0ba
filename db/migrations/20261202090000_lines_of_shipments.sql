-- no transaction
-- works with: 20261123074100_bike_references.sql

-- Deleting a shipment looks for its lines.
create index concurrently if not exists order_lines_shipment on order_lines (shipment_id) where shipment_id is not null;
