-- works with: 20261123074100_bike_references.sql
-- A picture that nothing uses is deleted later, so that an undo can restore it (decision 26).

-- When the job first found that nothing uses the picture; null if something does.
alter table pictures add column unused_since timestamptz;
