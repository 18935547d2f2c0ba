-- works with: 20261123074100_bike_references.sql

-- Other tabs may add to a line before a request is repeated. A process of an earlier version writes only last_addition.
alter table cart_lines add column earlier_additions uuid[] not null default '{}';
