-- A catalogue of a million products is searched, filtered and counted within some milliseconds: decision 24.

-- Takes accents off. The owner of a database may create it.
create extension if not exists unaccent;

-- 8, 12, 13 or 14 digits, the last of which checks the others.
create function is_gtin(text) returns boolean language sql immutable strict parallel safe as $$
  select $1 ~ '^(\d{8}|\d{12,14})$' and (
    select sum(digit::integer * case when place % 2 = 1 then 1 else 3 end) % 10 = 0
    from string_to_table(reverse($1), null) with ordinality as t (digit, place)) $$;

alter table products
  add column brand text check (length(brand) between 1 and 80),
  -- The kind of part, as 'Brake pads'.
  add column kind text check (length(kind) between 1 and 80),
  -- The part number as it is printed, and as it is looked for: without dashes, spaces and case.
  add column sku text check (length(sku) <= 40 and sku ~ '[A-Za-z0-9]'),
  add column sku_key text collate "C"
    generated always as (upper(regexp_replace(sku, '[^A-Za-z0-9]', '', 'g'))) stored,
  add column gtin text collate "C" check (is_gtin(gtin));
create unique index products_sku on products (sku_key) where deleted_at is null;
create index products_gtin on products (gtin) where deleted_at is null;

-- The bands that products are filtered by, as contract/catalog.ts has them: 0 is the cheapest.
create function price_band(price_cents integer) returns integer language sql immutable strict parallel safe
  as $$ select pg_catalog.width_bucket(price_cents, array[2500, 5000, 10000, 25000, 50000]) $$;

-- Words --------------------------------------------------------------------------------------------------------

-- English words by their stems, none of them left out: 'Most' may be a brand.
create text search dictionary catalogue_stem (template = snowball, language = english);
create text search configuration catalogue (copy = simple);
alter text search configuration catalogue
  alter mapping for asciiword, word with catalogue_stem;

-- Small letters without accents, and digits; everything else parts words.
create function plain_words(text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(
    lower(public.unaccent('public.unaccent', normalize($1, nfkc)) collate pg_catalog.pg_c_utf8),
    '[^[:alnum:]]+', ' ', 'g') $$;

-- The words of a text, and those that a dash, a dot or a stroke joins also as one: 'X-ring' is x, ring and xring.
create function words_of(text) returns text language sql immutable strict parallel safe as $$
  select public.plain_words($1 || ' ' || regexp_replace($1, '[-./''’]', '', 'g')) $$;

-- What is searched in, and behind a colon what it is filtered by: so that one index answers both together.
create function product_document(name text, brand text, kind text, category text, supplier text, price_cents integer)
returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector('public.catalogue', public.words_of(name)), 'A')
    || setweight(to_tsvector('public.catalogue', public.words_of(concat_ws(' ', brand, kind))), 'B')
    || setweight(to_tsvector('public.catalogue', public.words_of(concat_ws(' ', category, supplier))), 'D')
    || array_to_tsvector(array_remove(
         array[':brand:' || brand, ':kind:' || kind, ':category:' || category,
           ':price:' || public.price_band(price_cents)], null)) $$;

alter table products add column document tsvector
  generated always as (product_document(name, brand, kind, category, supplier, price_cents)) stored;

drop index products_search;
create index products_search on products using gin (document) where deleted_at is null;
-- A 32nd part of all: ids are random from their first character. It tells at little cost what would be found a
-- thousand times, and how often.
create index products_search_sample on products using gin (document)
  where deleted_at is null and id collate "C" < '08';

-- Every word of the catalogue, for what was mistyped: there are far fewer of them than products. Some may stand
-- here twice, or be no product's any more.
create table product_words (word text collate "C" not null);
create index product_words_word on product_words (word);
create index product_words_alike on product_words using gin (word gin_trgm_ops);

create function add_product_words(texts text[]) returns void language sql as $$
  insert into product_words
  select distinct word
  from unnest(texts) as text, regexp_split_to_table(words_of(text), ' ') as split (word)
  where length(word) between 3 and 40
    and not exists (select from product_words as known where known.word = split.word) $$;

-- A word as somebody has typed it so far: the few words of the catalogue that begin so, or all that may.
create function word_query(typed text) returns text language sql stable strict parallel safe as $$
  select case
    when length(typed) < 3 or count(*) = 0 then typed
    when count(*) > 16 then typed || ':*'
    else '(' || string_agg(word, ' | ') || ')' end
  from (
    select distinct word from product_words
    where word >= typed collate "C" and word < typed || U&'\+10FFFF' limit 17) as words $$;

-- What somebody types, for products that have all of its words. Null where there is no word in it. More than ten
-- words narrow nothing any more.
create function search_query(q text) returns tsquery language sql stable strict parallel safe as $$
  select to_tsquery('public.catalogue', string_agg(
    case when parts like '% %'
      then '((' || (select string_agg(word_query(part), ' & ') from string_to_table(parts, ' ') as part)
        || ') | ' || word_query(replace(parts, ' ', '')) || ')'
      else word_query(parts) end, ' & '))
  from (
    select trim(plain_words(term)) as parts
    from string_to_table(regexp_replace(trim(q), '\s+', ' ', 'g'), ' ') with ordinality as terms (term, place)
    where place <= 10) as terms
  where parts <> '' $$;

-- Counts -------------------------------------------------------------------------------------------------------

-- How many products there are of each combination that they are filtered by. A change adds rows, some with a
-- minus, and waits for nobody; sums are what is read. The shop folds the rows of a combination into one now and then.
create table product_counts (
  category text,
  kind text,
  brand text,
  price_band integer not null,
  in_stock boolean not null,
  products integer not null
);

create function count_added_products() returns trigger language plpgsql as $$
begin
  insert into product_counts
  select category, kind, brand, price_band(price_cents), stock >= minimum_quantity, count(*)
  from added where deleted_at is null group by 1, 2, 3, 4, 5;
  perform add_product_words(array_agg(concat_ws(' ', name, brand, kind, category, supplier))) from added;
  return null;
end $$;
create trigger products_counted after insert on products referencing new table as added
  for each statement execute function count_added_products();

create function count_changed_product() returns trigger language plpgsql as $$
begin
  if tg_op in ('UPDATE', 'DELETE') and old.deleted_at is null then
    insert into product_counts values
      (old.category, old.kind, old.brand, price_band(old.price_cents), old.stock >= old.minimum_quantity, -1);
  end if;
  if tg_op = 'UPDATE' and new.deleted_at is null then
    insert into product_counts values
      (new.category, new.kind, new.brand, price_band(new.price_cents), new.stock >= new.minimum_quantity, 1);
  end if;
  return null;
end $$;
create trigger products_recounted after update on products for each row
  when ((old.deleted_at is null, old.category, old.kind, old.brand, price_band(old.price_cents),
         old.stock >= old.minimum_quantity)
    is distinct from (new.deleted_at is null, new.category, new.kind, new.brand, price_band(new.price_cents),
         new.stock >= new.minimum_quantity))
  execute function count_changed_product();
create trigger products_uncounted after delete on products for each row execute function count_changed_product();

create function note_changed_words() returns trigger language plpgsql as $$
begin
  perform add_product_words(array[concat_ws(' ', new.name, new.brand, new.kind, new.category, new.supplier)]);
  return null;
end $$;
create trigger products_renamed after update on products for each row
  when ((old.name, old.brand, old.kind, old.category, old.supplier)
    is distinct from (new.name, new.brand, new.kind, new.category, new.supplier))
  execute function note_changed_words();

-- The products that are there already.
insert into product_counts
select category, kind, brand, price_band(price_cents), stock >= minimum_quantity, count(*)
from products where deleted_at is null group by 1, 2, 3, 4, 5;
select add_product_words(array_agg(concat_ws(' ', name, brand, kind, category, supplier))) from products;

-- Orders -------------------------------------------------------------------------------------------------------

-- Each order in which products are listed, of all of them, of a kind and of a brand.
create index products_by_price on products (price_cents, created_at, id) where deleted_at is null;
create index products_of_kind on products (kind, created_at, id) where deleted_at is null;
create index products_of_kind_by_price on products (kind, price_cents, created_at, id) where deleted_at is null;
create index products_of_kind_by_name on products (kind, lower(name), created_at, id) where deleted_at is null;
create index products_of_brand on products (brand, created_at, id) where deleted_at is null;
create index products_of_brand_by_price on products (brand, price_cents, created_at, id) where deleted_at is null;
create index products_of_brand_by_name on products (brand, lower(name), created_at, id) where deleted_at is null;
