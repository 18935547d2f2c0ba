-- works with: 20261123074100_bike_references.sql
-- Postgres parses the text of an SQL function each time that a check constraint or a generated column with it is prepared:
-- for each order. It keeps the plans of PL/pgSQL functions. All of them return the same values as before.

create or replace function is_gtin(text) returns boolean language plpgsql immutable strict parallel safe as $$
begin
  return $1 ~ '^(\d{8}|\d{12,14})$' and (
    select sum(digit::integer * case when place % 2 = 1 then 1 else 3 end) % 10 = 0
    from string_to_table(reverse($1), null) with ordinality as t (digit, place));
end $$;

create or replace function product_terms(category text, kind text, brand text, price_cents integer, in_stock boolean)
returns tsvector language plpgsql immutable parallel safe as $$
begin
  return array_to_tsvector(array_remove(array[
    'category:' || category,
    'kind:' || kind,
    'brand:' || brand,
    'price:' || (array['0-25', '25-50', '50-100', '100-250', '250-500', '500-'])[
      1 + width_bucket(price_cents, array[2500, 5000, 10000, 25000, 50000])],
    case when in_stock then 'inStock:true' end], null));
end $$;

create or replace function product_certificate_terms(certificate_values text[])
returns tsvector language plpgsql immutable parallel safe as $$
begin
  if certificate_values = '{}' then return ''::tsvector; end if;
  return array_to_tsvector(array(select 'certificate:' || value from unnest(certificate_values) as value));
end $$;

create or replace function product_fit_term(fit_kind text, fit_complete boolean)
returns tsvector language plpgsql immutable parallel safe as $$
begin
  return array_to_tsvector(case
    when fit_kind = 'vehicle' and fit_complete then '{}'
    else array['fit:' || case fit_kind when 'vehicle' then 'open' else fit_kind end] end);
end $$;

create or replace function phone_term(text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return nullif('tel:' || reverse(right(regexp_replace($1, '[^0-9]', '', 'g'), 20)), 'tel:');
end $$;

create or replace function sku_term(text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return nullif('sku:' || upper(regexp_replace($1, '[^A-Za-z0-9]', '', 'g')), 'sku:');
end $$;

-- The words of a text, umlauts in both spellings: 'Müller' is muller and mueller. At most 40 characters of each, because
-- a word in a document has a maximum length. ASCII has no accents and umlauts: most steps would change nothing.
create or replace function document_words(text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  words text := case when octet_length($1) = length($1)
    then regexp_replace(
      lower($1 || ' ' || regexp_replace($1, '[-./'']', '', 'g') collate pg_catalog.pg_c_utf8), '[^a-z0-9]+', ' ', 'g')
    else public.words_of($1 || ' ' || public.german_spelling($1)) end;
begin
  return array(select distinct left(word, 40) from string_to_table(words, ' ') as word where word <> '');
end $$;

-- The columns decide before the condition is prepared.
create or replace trigger products_words_update after update of name, brand, kind, category, supplier on products for each row
  when ((old.name, old.brand, old.kind, old.category, old.supplier)
    is distinct from (new.name, new.brand, new.kind, new.category, new.supplier))
  execute function add_changed_words();
create or replace trigger products_remove_variants after update of deleted_at on products for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function remove_variants();
