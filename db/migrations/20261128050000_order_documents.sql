-- works with: 20261123074100_bike_references.sql
-- One search for orders and customers, and notes of the staff (decision 78).

-- Lower case, with ae, oe and ue for the German umlauts.
create function german_spelling(text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(
    lower(normalize($1, nfkc) collate pg_catalog.pg_c_utf8), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue') $$;

-- The words of a text, umlauts in both spellings: 'Müller' is muller and mueller. At most 40 characters of each, because
-- a word in a document has a maximum length.
create function document_words(text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select distinct left(word, 40)
    from string_to_table(public.words_of($1 || ' ' || public.german_spelling($1)), ' ') as word
    where word <> '') $$;

-- The term of a phone number: its digits from the last to the first, so that its end is the beginning of a term.
create function phone_term(text) returns text language sql immutable strict parallel safe as $$
  select nullif('tel:' || reverse(right(regexp_replace($1, '[^0-9]', '', 'g'), 20)), 'tel:') $$;

-- The term of a part number without dashes, spaces and case.
create function sku_term(text) returns text language sql immutable strict parallel safe as $$
  select nullif('sku:' || upper(regexp_replace($1, '[^A-Za-z0-9]', '', 'g')), 'sku:') $$;

-- The tags of a note: its words that begin with #, in lower case without accents.
create function note_tags(text) returns text[] language sql immutable strict parallel safe as $$
  select array(
    select distinct '#' || left(replace(tag, ' ', '-'), 40)
    from regexp_matches($1 collate pg_catalog.pg_c_utf8, '#([[:alnum:]_-]+)', 'g') as found,
      trim(public.plain_words(found[1])) as tag
    where tag <> ''
    order by 1) $$;

-- The search terms of an order. `texts`: name, delivery address, postal code without spaces, note and product names.
create function order_document(texts text, email text, phone text, skus text[], variant_ids text[], notes text[])
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(array_remove(
    public.document_words(concat_ws(' ', texts, email, array_to_string(notes, ' ')))
      || lower(email) || public.phone_term(phone)
      || array(select public.sku_term(sku) from unnest(skus) as sku)
      || array(select 'variant:' || id from unnest(variant_ids) as id)
      || array(select unnest(public.note_tags(note)) from unnest(notes) as note), null), '')) $$;

-- The search terms of a customer. An expensive function: the index is read before rows are compared.
create function person_document(name text, email text, phone text)
returns tsvector language sql immutable parallel safe cost 1000 as $$
  select array_to_tsvector(array_remove(array_remove(
    public.document_words(concat_ws(' ', name, email)) || lower(email) || public.phone_term(phone), null), '')) $$;

-- The text of a query for all of these words. From 3 characters on a word may be incomplete.
create function word_prefixes(words text) returns text language sql immutable strict parallel safe as $$
  select string_agg('''' || left(word, 40) || '''' || case when length(word) >= 3 then ':*' else '' end, ' & ')
  from string_to_table(words, ' ') as word
  where word <> '' $$;

-- The text of a query for the end of a phone number: the last 8 digits, which are the same with and without the code of
-- the country. Null if the text has other characters, or fewer than 4 digits.
create function phone_query(text) returns text language sql immutable strict parallel safe as $$
  select case when $1 ~ '^[-0-9+()/. ]+$' and length(regexp_replace($1, '[^0-9]', '', 'g')) >= 4
    then '''' || public.phone_term(right(regexp_replace($1, '[^0-9]', '', 'g'), 8)) || ''':*' end $$;

-- The query for the orders or customers with all words of an input, in any order; null if it has none. A word is the
-- beginning of a word in either spelling, of a part number, of an email, or of a tag with #, or the end of a phone
-- number. A phone number or a part number may have spaces. Words after the tenth are ignored.
create function desk_query(q text) returns tsquery language sql stable strict parallel safe as $$
  with typed as (
    select regexp_replace(trim(q), '\s+', ' ', 'g') as input
  ), terms as (
    select term, trim(public.plain_words(term)) as plain,
      trim(public.plain_words(public.german_spelling(term))) as german
    from typed, string_to_table(input, ' ') with ordinality as t (term, place)
    where place <= 10
  ), words as (
    select string_agg('(' || query || ')', ' & ') as query
    from terms, lateral (select case
      when term ~ '.@' then
        '''' || replace(replace(left(lower(term), 254), '\', '\\'), '''', '''''') || ''':*'
      when term like '#%' then '''#' || left(replace(plain, ' ', '-'), 40) || ''':*'
      else concat_ws(' | ',
        '(' || public.word_prefixes(plain) || ')',
        case when german <> plain then '(' || public.word_prefixes(german) || ')' end,
        case when plain like '% %' then public.word_prefixes(replace(plain, ' ', '')) end,
        case when length(plain) >= 3 then '''' || public.sku_term(plain) || ''':*' end,
        public.phone_query(term)) end as query) as each
    where plain <> ''
  )
  select concat_ws(' | ', '(' || query || ')',
    case when input like '% %' then public.phone_query(input) end,
    case when input like '% %' and input ~ '^[A-Za-z0-9 ./-]{4,40}$' and input ~ '[0-9]'
      then '''' || public.sku_term(input) || ''':*' end)::tsquery
  from typed, words
  where query is not null $$;

-- One row for each order that is indexed, cancelled ones too.
create table order_documents (
  order_id text primary key references orders,
  placed_at timestamptz,
  document tsvector not null
);
create index order_documents_search on order_documents using gin (document);
create index order_documents_newest on order_documents (placed_at desc nulls last, order_id);

-- A job adds the documents of earlier orders, and of orders that an earlier version places.
alter table orders add is_indexed boolean not null default false;

-- Notes of an order, or of a person with this email. Only admins read them. `#words` are tags.
create table staff_notes (
  id text primary key,
  order_id text references orders,
  email text check (email = lower(email) and length(email) between 1 and 254),
  body text not null check (length(body) between 1 and 1000),
  author_id text not null references customers,
  created_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  removed_by text references customers,
  check (num_nonnulls(order_id, email) = 1)
);
create index staff_notes_order on staff_notes (order_id) where removed_at is null;
create index staff_notes_email on staff_notes (email) where removed_at is null;

-- The document of an order by its rows.
create function build_order_document(text) returns tsvector language sql stable strict parallel safe as $$
  select public.order_document(
    concat_ws(' ', customer_name, shipping_address, replace(ship_postal_code, ' ', ''), note, names),
    customer_email, customer_phone, skus, variant_ids,
    array(select body from public.staff_notes where order_id = orders.id and removed_at is null))
  from public.orders, lateral (
    select string_agg(product_name, ' ') as names, array_agg(sku) as skus, array_agg(variant_id) as variant_ids
    from public.order_lines where order_id = orders.id) as lines
  where orders.id = $1 $$;
