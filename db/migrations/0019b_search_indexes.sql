-- Indexes of an order within one kind, one brand or one category: those that remain are worth their cost, see decision 24.
drop index products_of_kind, products_of_kind_by_name, products_of_brand_by_price, products_of_category_by_name;

create index products_search_sample_16 on products using gin (document, terms)
  where deleted_at is null and id collate "C" < '1';
