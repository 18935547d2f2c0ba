-- works with: 20261123074100_bike_references.sql

-- `return`: of pieces that the buyer sent back.
-- unused since: 20261123074100_bike_references.sql
alter table refunds drop constraint refunds_kind_check;
alter table refunds add constraint refunds_kind_check
  check (kind in ('unmatched', 'cancellation', 'return', 'goodwill')) not valid;
