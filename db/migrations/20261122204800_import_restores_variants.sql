-- A row of a product file may restore a removed variant.

-- Set when the rows are matched: the removed variant with the size and colour of a row that adds a variant.
alter table product_import_rows add column restored_id text;
