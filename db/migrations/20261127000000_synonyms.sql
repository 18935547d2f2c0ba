-- works with: 20261123074100_bike_references.sql
-- Words for the same thing that admins have added (decision 72).
create table synonyms (
  id text primary key,
  phrases text[] not null check (cardinality(phrases) between 2 and 20)
);
