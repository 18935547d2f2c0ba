-- works with: 20261123074100_bike_references.sql
-- 'koln' finds Köln and Koeln, as 'köln' and 'koeln' do (decision 78). Only queries change, so no order is indexed again.

-- The spellings of a word with and without the e of German umlauts: koln and koeln for each of them. The first three
-- vowels vary, so that a word has at most nine spellings. One of them is the word itself.
create function german_spellings(word text) returns setof text language sql immutable strict parallel safe as $$
  with recursive spelled (done, rest, vowels) as (
    select '', regexp_replace(word, '([aou])e', '\1', 'g'), 0
    union all
    select done || substring(rest from '^[^aou]*[aou]') || ending, regexp_replace(rest, '^[^aou]*[aou]', ''), vowels + 1
    from spelled, unnest(array['', 'e']) as ending
    where vowels < 3 and rest ~ '[aou]'
  )
  select done || rest from spelled where vowels = 3 or rest !~ '[aou]'
  union
  select word $$;

-- The text of a query for all of these words, in any German spelling. From 3 characters on a word may be incomplete.
create or replace function word_prefixes(words text) returns text language sql immutable strict parallel safe as $$
  select string_agg('(' || spellings || ')', ' & ')
  from (
    select string_agg(
      '''' || left(spelling, 40) || '''' || case when least(length(word), length(spelling)) >= 3 then ':*' else '' end,
      ' | ') as spellings
    from string_to_table(words, ' ') with ordinality as t (word, place), public.german_spellings(word) as spelling
    where word <> ''
    group by place) as each $$;
