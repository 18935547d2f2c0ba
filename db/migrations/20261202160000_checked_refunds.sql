-- works with: 20261123074100_bike_references.sql
-- A refund can fail after its success, and the webhook about it can be lost.

alter table refunds add column checked_at timestamptz not null default now();
