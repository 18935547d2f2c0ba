-- works with: 20261123074100_bike_references.sql

-- The id of the last addition of pieces to a line, so that a repeated request adds nothing.
alter table cart_lines add column last_addition uuid;
