-- works with: 20261122205500_job_failures.sql

-- The planner does not use the statistics of a partial index, so it did not know how many names a range has (decision 24).
create statistics products_lower_name on lower(name) from products;

-- Statistics of an empty table would mislead the planner when the first products are added.
do $$ begin
  if exists (select from products) then
    analyze products (name);
  end if;
end $$;
