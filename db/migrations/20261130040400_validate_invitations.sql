-- works with: 20261123074100_bike_references.sql

alter table mail_outbox validate constraint mail_outbox_kind_check;
