-- works with: 20261123074100_bike_references.sql
-- Refunds of paid orders. Until now a refund returned only money that had paid no order.

alter table orders add refunded_cents integer not null default 0;
alter table orders add constraint orders_refunded_cents_check check (refunded_cents between 0 and amount_cents) not valid;
-- unused since: 20261123074100_bike_references.sql
alter table orders drop constraint orders_status_check;
alter table orders add constraint orders_status_check
  check (status in ('unpaid', 'paid', 'shipped', 'cancelled', 'refunded')) not valid;
-- unused since: 20261123074100_bike_references.sql
alter table orders drop constraint orders_check1;
alter table orders add constraint orders_check1
  check ((status in ('paid', 'shipped', 'refunded')) = (transaction_id is not null)) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table order_events drop constraint order_events_kind_check;
alter table order_events add constraint order_events_kind_check
  check (kind in ('placed', 'options', 'claimed', 'processing', 'payment_failed', 'paid', 'shipped', 'cancelled',
    'expired', 'refund_due', 'refunded', 'refund_failed', 'items_cancelled')) not valid;

-- Why money is returned; `unmatched`: it paid no order.
alter table refunds add kind text not null default 'unmatched';
alter table refunds add constraint refunds_kind_check check (kind in ('unmatched', 'cancellation')) not valid;

-- The lines that a refund returns. Line 0 is the shipping.
create table refund_lines (
  refund_id text not null references refunds,
  line_number integer not null check (line_number >= 0),
  pieces integer not null default 0 check (pieces >= 0),
  -- Pieces that went back to the stock.
  restocked integer not null default 0 check (restocked between 0 and pieces),
  amount_cents integer not null check (amount_cents >= 0),
  -- The tax in the amount.
  tax_cents integer not null check (tax_cents between 0 and amount_cents),
  primary key (refund_id, line_number),
  check (line_number > 0 or pieces = 0)
);
create trigger append_only before update or delete or truncate on refund_lines
  execute function refuse_change();

alter table stock_movements add refund_id text;
alter table stock_movements add constraint stock_movements_refund_id_fkey
  foreign key (refund_id) references refunds not valid;
-- unused since: 20261123074100_bike_references.sql
alter table stock_movements drop constraint stock_movements_kind_check;
alter table stock_movements add constraint stock_movements_kind_check
  check (kind in ('sale', 'release', 'return', 'restock', 'count')) not valid;
-- unused since: 20261123074100_bike_references.sql
alter table stock_movements drop constraint stock_movements_check;
alter table stock_movements add constraint stock_movements_check
  check ((kind in ('sale', 'release', 'return')) = (order_id is not null)) not valid;
alter table stock_movements add constraint stock_movements_return_check
  check ((kind = 'return') = (refund_id is not null) and (kind <> 'return' or quantity > 0)) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'password-changed', 'order-received', 'order-shipped',
    'order-cancelled', 'order-expired', 'order-refunded')) not valid;
