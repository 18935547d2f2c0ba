-- Which words the products of each kind and of each brand have: decision 24. What a search may find, and where, is known
-- before it is looked for. A row may stand here twice, or speak of products that are gone: nobody waits to add one.
-- Products without a kind or a brand have the value ''.

-- Another process may be serving: a product that it added meanwhile would be neither noted by it nor found below.
lock table products in share row exclusive mode;

create table facet_lexemes (
  facet text not null check (facet in ('kind', 'brand')),
  value text not null,
  lexeme text collate "C" not null
);
create index facet_lexemes_lexeme on facet_lexemes (lexeme, facet, value);

create function add_facet_lexemes(kinds text[], brands text[], documents tsvector[]) returns void language sql as $$
  insert into facet_lexemes
  select * from (
    select distinct facet, coalesce(value, '') as value, lexeme
    from unnest(kinds, brands, documents) as product (kind, brand, document),
      unnest(tsvector_to_array(document)) as lexeme,
      lateral (values ('kind', kind), ('brand', brand)) as facets (facet, value)
    where not starts_with(lexeme, ':')) as had
  -- A subquery that is asked for each of them: joined, all that is known would be read for the few words of one product.
  where (
    select true from facet_lexemes as known
    where (known.lexeme, known.facet, known.value) = (had.lexeme, had.facet, had.value) limit 1) is null $$;

-- As in 0009, and their words by kind and brand.
create or replace function count_added_products() returns trigger language plpgsql as $$
begin
  insert into product_counts
  select category, kind, brand, price_band(price_cents), stock >= minimum_quantity, count(*)
  from added where deleted_at is null group by 1, 2, 3, 4, 5;
  perform add_product_words(array_agg(concat_ws(' ', name, brand, kind, category, supplier))) from added;
  perform add_facet_lexemes(array_agg(kind), array_agg(brand), array_agg(document)) from added;
  return null;
end $$;
create or replace function note_changed_words() returns trigger language plpgsql as $$
begin
  perform add_product_words(array[concat_ws(' ', new.name, new.brand, new.kind, new.category, new.supplier)]);
  perform add_facet_lexemes(array[new.kind], array[new.brand], array[new.document]);
  return null;
end $$;

-- The products that are there already.
insert into facet_lexemes
select distinct facet, coalesce(value, ''), lexeme
from products, unnest(tsvector_to_array(document)) as lexeme,
  lateral (values ('kind', kind), ('brand', brand)) as facets (facet, value)
where not starts_with(lexeme, ':');

-- Holds the name beside what it is put in order by: so that the first names, however many, are passed by in the index alone.
drop index products_by_name;
create index products_by_name on products (lower(name), created_at, id) include (name) where deleted_at is null;
