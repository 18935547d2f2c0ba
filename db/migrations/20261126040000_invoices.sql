-- works with: 20261123074100_bike_references.sql
-- Invoices of paid orders, and credit notes of their refunds. What is printed is in the frozen rows of the order.

create table invoices (
  kind text not null check (kind in ('invoice', 'credit_note')),
  -- Each kind has one series without gaps.
  number integer not null check (number >= 1),
  order_id text not null references orders,
  refund_id text constraint invoices_refund unique references refunds,
  -- Name, address and tax id of the shop when the document was issued.
  seller jsonb not null,
  issued_at timestamptz not null default clock_timestamp(),
  primary key (kind, number),
  check ((kind = 'credit_note') = (refund_id is not null))
);
create unique index invoices_order on invoices (order_id) where kind = 'invoice';
create trigger append_only before update or delete or truncate on invoices
  execute function refuse_change();
