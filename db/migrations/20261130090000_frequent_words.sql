-- works with: 20261123074100_bike_references.sql
-- A search for several words reads the index only for the rare ones (decision 78). The index lists all rows that
-- have a prefix before it compares rows, so a first name that a tenth of the orders have takes longer than all the rest.

-- The queries for the words in an input, in its sequence. Words after the tenth are ignored.
create function desk_terms(q text) returns setof tsquery language sql stable strict parallel safe as $$
  with terms as (
    select term, place, trim(public.plain_words(term)) as plain,
      trim(public.plain_words(public.german_spelling(term))) as german
    from string_to_table(regexp_replace(trim(q), '\s+', ' ', 'g'), ' ') with ordinality as t (term, place)
    where place <= 10
  )
  select case
      when term ~ '.@' then
        '''' || replace(replace(left(lower(term), 254), '\', '\\'), '''', '''''') || ''':*'
      when term like '#%' then '''#' || left(replace(plain, ' ', '-'), 40) || ''':*'
      else concat_ws(' | ',
        '(' || public.word_prefixes(plain) || ')',
        case when german <> plain then '(' || public.word_prefixes(german) || ')' end,
        case when plain like '% %' then public.word_prefixes(replace(plain, ' ', '')) end,
        case when length(plain) >= 3 then '''' || public.sku_term(plain) || ''':*' end,
        public.phone_query(term)) end::tsquery
  from terms where plain <> ''
  order by place $$;

-- The query for an input that is a phone number or a part number with spaces. Null if it is neither.
create function desk_number_query(q text) returns tsquery language sql stable strict parallel safe as $$
  select nullif(concat_ws(' | ',
    case when input like '% %' then public.phone_query(input) end,
    case when input like '% %' and input ~ '^[A-Za-z0-9 ./-]{4,40}$' and input ~ '[0-9]'
      then '''' || public.sku_term(input) || ''':*' end), '')::tsquery
  from regexp_replace(trim(q), '\s+', ' ', 'g') as input $$;

-- As before, from the two functions above.
create or replace function desk_query(q text) returns tsquery language sql stable strict parallel safe as $$
  select case when numbers is null then words else words || numbers end
  from (select string_agg('(' || term::text || ')', ' & ')::tsquery as words from public.desk_terms(q) as term) as terms,
    public.desk_number_query(q) as numbers $$;

-- A query for the index of the documents: all orders that desk_query finds, and more. It leaves out words that more than
-- 2 % of the newest orders have, if another word is rarer.
create function rare_desk_query(q text) returns tsquery language sql stable strict parallel safe as $$
  with newest as materialized (
    select document from public.order_documents order by placed_at desc nulls last, order_id limit 400
  ), terms as (
    select term, (select count(*) from newest where document @@ term) * 50 <= (select count(*) from newest) as is_rare
    from public.desk_terms(q) as term
  )
  select case when numbers is null then words else words || numbers end
  from (
    select coalesce(string_agg('(' || term::text || ')', ' & ') filter (where is_rare),
      string_agg('(' || term::text || ')', ' & '))::tsquery as words
    from terms) as each,
    public.desk_number_query(q) as numbers $$;
