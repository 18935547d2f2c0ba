-- works with: 20261123074100_bike_references.sql
-- A sale changes only the stock. Postgres skips a trigger that names its columns if none of them is set, but it reads and
-- evaluates a condition: each sale compared four whole rows (decision 97). `tests/product-columns.test.ts` finds a new column
-- that is missing here.

create or replace trigger products_log_update
  after update of name, brand, kind, category, price_cents, minimum_quantity, description, image, supplier, created_at,
    deleted_at, options, fit_kind, fit_complete, fits, fits_some, certificate_values, replaced_by, return_note, attributes,
    hidden
  on products for each row when (differs_beyond_stock(old, new)) execute function log_product_change();

create or replace trigger products_sitemap_update
  after update of name, brand, kind, category, price_cents, minimum_quantity, description, image, supplier, created_at,
    deleted_at, options, fit_kind, fit_complete, fits, fits_some, certificate_values, replaced_by, return_note, attributes,
    hidden
  on products for each row when (differs_beyond_stock(old, new)) execute function touch_sitemap_entry();
create trigger products_sitemap_stock after update of stock on products for each row
  when (old.terms is distinct from new.terms) execute function touch_sitemap_entry();

create or replace trigger variants_log_update
  after update of size, colour, swatch, sku, gtin, price_cents, image, weight_grams, removed_at, created_at, shelf, low_stock
  on variants for each row when (differs_beyond_stock(old, new) and new.removed_at is distinct from 'infinity')
  execute function log_variant_change();

create or replace trigger variants_sitemap_update
  after update of size, colour, swatch, sku, gtin, price_cents, image, weight_grams, removed_at, created_at, shelf, low_stock
  on variants for each row when (differs_beyond_stock(old, new)) execute function touch_sitemap_of_variant();
create trigger variants_sitemap_stock after update of stock on variants for each row
  when ((old.stock > 0) <> (new.stock > 0)) execute function touch_sitemap_of_variant();
