-- works with: 20261123054800_bike_changes_subject.sql

-- The planner does not use the statistics of a partial index, so it did not know how many names a range has (decision 24).
create statistics products_lower_name on lower(name) from products;
analyze products (name);
