-- works with: 20261125230000_refunds.sql

alter table refunds validate constraint refunds_return_id_fkey;
alter table products validate constraint products_return_note_check;
alter table order_events validate constraint order_events_kind_check;
alter table mail_outbox validate constraint mail_outbox_kind_check;
