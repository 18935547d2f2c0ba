-- works with: 20261123074100_bike_references.sql

alter table orders validate constraint orders_placed_by_fkey;
alter table orders validate constraint orders_pay_by_check;
alter table mail_outbox validate constraint mail_outbox_kind_check;
