-- no transaction
-- works with: 20261123074100_bike_references.sql

create index concurrently if not exists mail_outbox_failed on mail_outbox (failed_at desc, id)
  where failed_at is not null;
