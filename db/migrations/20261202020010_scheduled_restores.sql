-- works with: 20261123074100_bike_references.sql
-- An archived document can be published later, and stays hidden until then.

-- When an archived document is visible again; null if that is not planned.
alter table documents add column restores_at timestamptz;
