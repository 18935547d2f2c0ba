-- Rows of a product file may belong to a product with own sizes and colours.

alter table product_import_rows
  -- As in the file. Rows with the same group are variants of one product.
  add column options text,
  add column group_key text,
  add column size text,
  add column colour text,
  add column swatch text,
  add column weight_grams integer,
  -- Set when the rows are matched: the product to add or to change, its values, and those of the variant.
  add column product_id text,
  add column is_first boolean not null default false,
  add column target_options text,
  add column target_price_cents integer,
  add column target_image text,
  add column own_price_cents integer,
  add column own_image text;
