-- works with: 20261123074100_bike_references.sql

alter table order_events validate constraint order_events_reason_check;
alter table order_events validate constraint order_events_kind_check;
alter table mail_outbox validate constraint mail_outbox_kind_check;
