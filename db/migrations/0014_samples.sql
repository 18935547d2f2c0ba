-- Samples of all products, for what finds many: decision 24. Ids are random from their first character, so those that
-- begin low are drawn by chance, and each sample is a part of the next: one in 4, 16, 64, 256 and 1,024.
drop index products_search_sample;
create index products_search_one_in_4 on products using gin (document)
  where deleted_at is null and id collate "C" < '4';
create index products_search_one_in_16 on products using gin (document)
  where deleted_at is null and id collate "C" < '1';
create index products_search_one_in_64 on products using gin (document)
  where deleted_at is null and id collate "C" < '04';
create index products_search_one_in_256 on products using gin (document)
  where deleted_at is null and id collate "C" < '01';
create index products_search_one_in_1024 on products using gin (document)
  where deleted_at is null and id collate "C" < '004';

-- A word as somebody has typed it so far, as in 0009; but words of one stem once. 'Oil' and 'oils' are the same lexeme,
-- and an index takes three times as long to look for either of two as for one.
create or replace function word_query(typed text) returns text language sql stable strict parallel safe as $$
  select case
    when length(typed) < 3 or count(*) = 0 then typed
    when sum(words) > 16 then typed || ':*'
    else '(' || string_agg(word, ' | ') || ')' end
  from (
    select min(word) as word, count(*) as words from (
      select distinct word from product_words
      where word >= typed collate "C" and word < typed || U&'\+10FFFF' limit 17) as words
    group by to_tsvector('public.catalogue', word)) as stems $$;
