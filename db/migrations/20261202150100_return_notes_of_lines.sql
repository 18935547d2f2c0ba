-- works with: 20261123074100_bike_references.sql
-- An order keeps whether each product had special return terms when it was ordered: the buyer has read those. Null: an
-- earlier version placed the order.

alter table order_lines add column has_return_note boolean;
