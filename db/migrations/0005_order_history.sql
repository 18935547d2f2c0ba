-- What happened to each order, in the order in which it happened. Rows are added and never changed.
create table order_events (
  id bigint generated always as identity primary key,
  order_id text not null references orders,
  kind text not null check (kind in ('placed', 'options', 'paid', 'shipped', 'cancelled', 'expired', 'refunded')),
  -- Null: the shop itself, as when the payment provider told it or nobody paid in time.
  actor_id text references customers,
  occurred_at timestamptz not null default now()
);
create index order_events_order on order_events (order_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;

create trigger order_events_append_only before update or delete on order_events
  for each row execute function refuse_change();
create trigger stock_movements_append_only before update or delete on stock_movements
  for each row execute function refuse_change();
create trigger role_changes_append_only before update or delete on role_changes
  for each row execute function refuse_change();

-- What is known of the orders that are there already.
insert into order_events (order_id, kind, actor_id, occurred_at)
select id, 'placed', customer_id, coalesce(placed_at, now()) from orders
union all select id, 'paid', null, coalesce(paid_at, now()) from orders where status in ('paid', 'shipped')
union all select id, 'shipped', null, coalesce(shipped_at, now()) from orders where status = 'shipped'
union all select id, 'cancelled', null, coalesce(cancelled_at, now()) from orders where status = 'cancelled';

-- Unpaid orders whose time is over.
create index orders_unpaid on orders (placed_at) where status = 'unpaid';
