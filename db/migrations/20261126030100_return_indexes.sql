-- no transaction
-- works with: 20261125230000_refunds.sql

create index concurrently if not exists refunds_return on refunds (return_id) where return_id is not null;
