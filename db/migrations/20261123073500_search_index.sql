-- no transaction
-- works with: 20261122205500_job_failures.sql

-- The index of all products has no condition any more: Postgres never combines two partial indexes with the same condition,
-- and this one is read together with the indexes of the sort orders (decision 24).
create index concurrently if not exists products_search_all on products using gin (document, terms);
drop index concurrently if exists products_search;
