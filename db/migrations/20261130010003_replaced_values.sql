-- works with: 20261123074100_bike_references.sql
-- The fitments or part numbers of products before an import replaced them: its undo restores them (decision 88). Rows of 30 days.

create table replaced_values (
  import_id text not null references product_imports on delete cascade,
  product_id text not null references products,
  -- An array with an object for each value.
  value jsonb not null,
  primary key (import_id, product_id)
);
