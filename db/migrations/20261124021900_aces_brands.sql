-- works with: 20261123074100_bike_references.sql
-- The brands of ACES files (decision 52): a part of another brand fits no product of the shop.

-- Fitment ----------------------------------------------------------------------------------------------------------

-- The ids of brands in ACES files. A brand may have several.
create table aces_brands (
  id text primary key check (id ~ '^[A-Z]{4}$'),
  -- As in `products`.
  brand text not null check (length(brand) between 1 and 80)
);

-- Imports ----------------------------------------------------------------------------------------------------------

-- The id of a row of the kind `brand`, which has no number.
alter table aces_code_import_rows add column brand_id text, alter column id drop not null;
-- Null: the file names no brand.
alter table aces_import_rows add column brand_id text;

-- The applications of brands that the shop does not know, and the first of these brands.
alter table product_imports
  add column left_out_count integer not null default 0,
  add column left_out jsonb not null default '[]';
