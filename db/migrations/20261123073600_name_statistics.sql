-- works with: 20261122205500_job_failures.sql

-- The planner does not use the statistics of a partial index, so it did not know how many names a range has (decision 24).
create statistics products_lower_name on lower(name) from products;
analyze products (name);
