-- works with: 20261123074100_bike_references.sql

alter table product_imports validate constraint product_imports_undo_of;
alter table product_imports validate constraint product_imports_run_by;
alter table product_imports validate constraint product_imports_source;
alter table product_imports validate constraint product_imports_mode;
alter table product_changes validate constraint product_changes_import_id;
alter table stock_movements validate constraint stock_movements_import_id;
