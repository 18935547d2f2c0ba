-- works with: 20261123074100_bike_references.sql
-- Returns, and withdrawals from the contract (Article 11a of Directive 2011/83/EU).

create table returns (
  id text primary key,
  -- Null: a withdrawal by the public form that no admin has assigned to an order yet.
  order_id text references orders,
  is_withdrawal boolean not null,
  status text not null default 'requested' check (status in ('requested', 'approved', 'rejected', 'closed')),
  order_number text not null check (length(order_number) between 1 and 40),
  email text not null check (length(email) between 1 and 254),
  name text not null check (length(name) <= 120),
  note text not null default '' check (length(note) <= 500),
  -- The reason or the next step, for the customer.
  reply text not null default '' check (length(reply) <= 500),
  requested_at timestamptz not null default clock_timestamp(),
  check (order_id is not null or is_withdrawal)
);
create index returns_order on returns (order_id);
create index returns_open on returns (requested_at) where status in ('requested', 'approved');
create index returns_newest on returns (requested_at);

-- No rows: the whole order.
create table return_lines (
  return_id text not null references returns,
  line_number integer not null check (line_number > 0),
  pieces integer not null check (pieces > 0),
  -- A withdrawal has no reason.
  reason text check (reason in ('did_not_fit', 'too_small', 'too_large', 'wrong_item', 'damaged', 'not_as_described',
    'changed_mind')),
  primary key (return_id, line_number)
);
create trigger append_only before update or delete or truncate on return_lines
  execute function refuse_change();

alter table refunds add return_id text;
alter table refunds add constraint refunds_return_id_fkey foreign key (return_id) references returns not valid;

-- Its orders are cancelled and withdrawn from only by an admin.
alter table products add return_note text;
alter table products add constraint products_return_note_check
  check (length(return_note) between 1 and 200) not valid;
alter table product_import_rows add return_note text;

-- unused since: 20261123074100_bike_references.sql
alter table order_events drop constraint order_events_kind_check;
alter table order_events add constraint order_events_kind_check
  check (kind in ('placed', 'options', 'claimed', 'processing', 'payment_failed', 'paid', 'shipped', 'cancelled',
    'expired', 'refund_due', 'refunded', 'refund_failed', 'items_cancelled', 'part_shipped', 'tracking_changed',
    'return_requested', 'return_approved', 'return_rejected', 'return_closed', 'withdrawn')) not valid;

-- unused since: 20261123074100_bike_references.sql
alter table mail_outbox drop constraint mail_outbox_kind_check;
alter table mail_outbox add constraint mail_outbox_kind_check
  check (kind in ('password-reset', 'email-verification', 'password-changed', 'order-received', 'order-shipped',
    'order-cancelled', 'order-expired', 'order-refunded', 'shipment-sent', 'return-approved', 'return-rejected',
    'withdrawal-received')) not valid;
