-- works with: 20261123074100_bike_references.sql

alter table orders validate constraint orders_refunded_cents_check;
alter table orders validate constraint orders_status_check;
alter table orders validate constraint orders_check1;
alter table order_events validate constraint order_events_kind_check;
alter table refunds validate constraint refunds_kind_check;
alter table refunds validate constraint refunds_note_check;
alter table refunds validate constraint refunds_status_check;
alter table refunds validate constraint refunds_check;
alter table refunds validate constraint refunds_amount_cents_check;
alter table stock_movements validate constraint stock_movements_refund_id_fkey;
alter table stock_movements validate constraint stock_movements_kind_check;
alter table stock_movements validate constraint stock_movements_check;
alter table stock_movements validate constraint stock_movements_return_check;
alter table mail_outbox validate constraint mail_outbox_kind_check;
