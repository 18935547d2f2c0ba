-- no transaction
-- works with: 20261122205500_job_failures.sql

-- Postgres looks for references to each bike that is removed.
create index concurrently if not exists garage_bikes_bike on garage_bikes (bike_id);
create index concurrently if not exists cart_lines_bike on cart_lines (bike_id) where bike_id is not null;
create index concurrently if not exists order_lines_bike on order_lines (bike_id) where bike_id is not null;
