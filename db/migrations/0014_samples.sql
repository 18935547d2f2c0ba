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
