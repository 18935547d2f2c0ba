-- Product search: decision 24.

lock table products in share row exclusive mode;

drop index products_search, products_search_one_in_4, products_search_one_in_16, products_search_one_in_64,
  products_search_one_in_256, products_search_one_in_1024;
drop trigger products_counted on products;
drop trigger products_recounted on products;
drop trigger products_uncounted on products;
drop trigger products_renamed on products;
drop function count_added_products(), count_changed_product(), note_changed_words();
drop table product_counts;


-- Columns -------------------------------------------------------------------------------------------------------

-- The filter terms of a product: `facet:value` for each facet of contract/product-filters.ts. A new facet needs its
-- terms here, and no trigger.
create function product_terms(category text, kind text, brand text, price_cents integer, in_stock boolean)
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(array[
    'category:' || category,
    'kind:' || kind,
    'brand:' || brand,
    'price:' || (array['0-25', '25-50', '50-100', '100-250', '250-500', '500-'])[
      1 + width_bucket(price_cents, array[2500, 5000, 10000, 25000, 50000])],
    case when in_stock then 'inStock:true' end], null)) $$;

-- The words of a product, by their weight in the order of results.
create function product_document(name text, brand text, kind text, category text, supplier text)
returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector('public.catalogue', public.words_of(name)), 'A')
    || setweight(to_tsvector('public.catalogue', public.words_of(concat_ws(' ', brand, kind))), 'B')
    || setweight(to_tsvector('public.catalogue', public.words_of(concat_ws(' ', category, supplier))), 'D') $$;

alter table products
  alter column document set expression as (product_document(name, brand, kind, category, supplier)),
  add column terms tsvector generated always as
    (product_terms(category, kind, brand, price_cents, stock >= minimum_quantity)) stored;
drop function product_document(text, text, text, text, text, integer);
drop function price_band(integer);

-- Indexes -------------------------------------------------------------------------------------------------------

-- Words and filters are looked up together. The samples hold the products with low ids: ids are random.
create index products_search on products using gin (document, terms) where deleted_at is null;
create index products_search_sample_4 on products using gin (document, terms)
  where deleted_at is null and id collate "C" < '4';
create index products_search_sample_64 on products using gin (document, terms)
  where deleted_at is null and id collate "C" < '04';

-- Counts --------------------------------------------------------------------------------------------------------

-- How many products have each combination of terms: the sum of its rows. A change adds a row with plus or minus one,
-- so it waits for no other; `compactCounts` merges the rows later.
create table product_counts (
  terms tsvector not null,
  products integer not null
);

create function add_product_counts() returns trigger language plpgsql as $$
begin
  insert into product_counts select terms, count(*) from added where deleted_at is null group by 1;
  perform add_product_words(array_agg(concat_ws(' ', name, brand, kind, category, supplier))) from added;
  perform add_facet_lexemes(array_agg(kind), array_agg(brand), array_agg(document)) from added;
  return null;
end $$;
create trigger products_counts_insert after insert on products referencing new table as added
  for each statement execute function add_product_counts();

create function update_product_counts() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') and old.deleted_at is null then
    insert into product_counts values (old.terms, -1);
  end if;
  if tg_op = 'UPDATE' and new.deleted_at is null then
    insert into product_counts values (new.terms, 1);
  end if;
  return null;
end $$;
create trigger products_counts_update after update on products for each row
  when (old.terms is distinct from new.terms or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function update_product_counts();
create trigger products_counts_delete after delete on products
  for each row execute function update_product_counts();

create function add_changed_words() returns trigger language plpgsql as $$
begin
  perform add_product_words(array[concat_ws(' ', new.name, new.brand, new.kind, new.category, new.supplier)]);
  perform add_facet_lexemes(array[new.kind], array[new.brand], array[new.document]);
  return null;
end $$;
create trigger products_words_update after update on products for each row
  when (old.document is distinct from new.document) execute function add_changed_words();

insert into product_counts select terms, count(*) from products where deleted_at is null group by 1;
