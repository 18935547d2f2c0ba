-- no transaction
-- works with: 20261123074100_bike_references.sql

create index concurrently if not exists product_changes_import on product_changes (import_id, id)
  where import_id is not null;
-- An import moves the stock of a variant once.
create unique index concurrently if not exists stock_movements_import on stock_movements (import_id, variant_id)
  where import_id is not null;
-- The audit lists an import as one entry. These replace the indexes of all rows.
create index concurrently if not exists product_changes_listed on product_changes (occurred_at, id)
  where import_id is null;
create index concurrently if not exists stock_movements_listed on stock_movements (created_at, id)
  where import_id is null;
drop index concurrently if exists product_changes_newest;
drop index concurrently if exists stock_movements_newest;
create index concurrently if not exists product_imports_newest on product_imports (started_at desc, id);
-- An import is undone once.
create unique index concurrently if not exists product_imports_undone on product_imports (undo_of)
  where state in ('importing', 'done');
create index concurrently if not exists product_import_rows_batch on product_import_rows (import_id, batch)
  where batch is not null;
create index concurrently if not exists fitment_import_rows_batch on fitment_import_rows (import_id, batch)
  where batch is not null;
create index concurrently if not exists part_number_import_rows_batch on part_number_import_rows (import_id, batch)
  where batch is not null;
