-- works with: 20261123074100_bike_references.sql
-- Fitment and part number files leave out wrong rows, too (decision 88). Null: the file was uploaded to an earlier version.

alter table fitment_import_rows add column cells jsonb;
alter table part_number_import_rows add column cells jsonb;
