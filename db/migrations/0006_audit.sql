-- Who changed what, when and from which address; money that goes back; payments that take their time.

-- Where the request came from. Null: the shop itself, or not known.
alter table order_events add column address inet;
alter table stock_movements add column address inet;
alter table role_changes add column address inet;

-- What was changed of a product, but its stock, which has a ledger of its own. With the row that says how it was
-- added, every price and every name that a product ever had can be told. Rows are added and never changed.
create table product_changes (
  id bigint generated always as identity primary key,
  product_id text not null references products,
  kind text not null check (kind in ('added', 'edited', 'deleted')),
  -- The columns that changed, as they were (nothing where it was added) and as they became.
  before jsonb not null,
  after jsonb not null,
  -- Null: the shop itself, its command line, or somebody at the database by hand.
  actor_id text references customers,
  address inet,
  occurred_at timestamptz not null default now()
);
create index product_changes_product on product_changes (product_id, id);

insert into product_changes (product_id, kind, before, after, occurred_at)
select id, 'added', '{}'::jsonb, to_jsonb(products) - '{id, stock, created_at, deleted_at, description, image}'::text[], created_at
from products
union all
select id, 'deleted', '{"deleted_at": null}'::jsonb, jsonb_build_object('deleted_at', deleted_at), deleted_at
from products where deleted_at is not null;

-- Written by the database, so that nobody can forget it. A statement says who is at work by the settings
-- shop.actor_id and shop.address, for the length of its transaction.
create function note_product_change() returns trigger language plpgsql as $$
declare
  -- What follows from other columns is no change of its own.
  derived text[] := array(select attname from pg_attribute where attrelid = tg_relid and attgenerated <> '');
  was jsonb := '{}';
  became jsonb := to_jsonb(new) - derived - '{id, stock, created_at}'::text[];
begin
  if tg_op = 'INSERT' then
    -- Its long texts stand in the product; a change of them keeps what they were.
    became := became - '{deleted_at, description, image}'::text[];
  else
    was := to_jsonb(old) - derived;
    became := (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(became)
      where value is distinct from was -> key);
    was := (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(was) where became ? key);
    if became = '{}' then return null; end if;
  end if;
  insert into product_changes (product_id, kind, before, after, actor_id, address)
  values (
    new.id,
    case when tg_op = 'INSERT' then 'added' when became ->> 'deleted_at' is not null then 'deleted' else 'edited' end,
    was, became,
    nullif(current_setting('shop.actor_id', true), ''), nullif(current_setting('shop.address', true), '')::inet
  );
  return null;
end $$;

create trigger products_added after insert on products
  for each row execute function note_product_change();
-- A sale changes the stock alone, and goes by without a call.
create trigger products_changed after update on products
  for each row when (to_jsonb(old) - 'stock' is distinct from to_jsonb(new) - 'stock')
  execute function note_product_change();

create trigger product_changes_append_only before update or delete on product_changes
  for each row execute function refuse_change();
-- Emptied at once is changed, too.
create trigger order_events_never_emptied before truncate on order_events execute function refuse_change();
create trigger stock_movements_never_emptied before truncate on stock_movements execute function refuse_change();
create trigger role_changes_never_emptied before truncate on role_changes execute function refuse_change();
create trigger product_changes_never_emptied before truncate on product_changes execute function refuse_change();

-- The newest changes first, a page at a time.
create index order_events_newest on order_events (occurred_at, id);
create index stock_movements_newest on stock_movements (created_at, id);
create index role_changes_newest on role_changes (created_at, id);
create index product_changes_newest on product_changes (occurred_at, id);

alter table order_events drop constraint order_events_kind_check;
alter table order_events add constraint order_events_kind_check check (kind in ('placed', 'options', 'processing',
  'payment_failed', 'paid', 'shipped', 'cancelled', 'expired', 'refund_due', 'refunded', 'refund_failed'));

-- Money that settles no order and goes back in full: once for an intent, kept before the provider is asked for it.
create table refunds (
  intent_id text primary key,
  order_id text not null references orders,
  amount_cents integer not null check (amount_cents > 0),
  reason text not null,
  -- due: the provider is to be asked; pending: it has the refund under way.
  status text not null default 'due' check (status in ('due', 'pending', 'succeeded', 'failed')),
  -- Counts the refunds of this intent at the provider: a new one follows one that has failed there.
  attempt integer not null default 1 check (attempt >= 1),
  refund_id text unique,
  -- Why it has not gone through so far.
  failure text,
  -- When to ask the provider again; null once it has gone through.
  next_try_at timestamptz default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'succeeded') = (next_try_at is null)),
  check (status not in ('pending', 'succeeded') or refund_id is not null)
);
create index refunds_newest on refunds (created_at desc, intent_id);
create index refunds_of_order on refunds (order_id);
create index refunds_due on refunds (next_try_at) where next_try_at is not null;

insert into refunds (intent_id, order_id, amount_cents, reason, status, refund_id, next_try_at, created_at, updated_at)
select intent_id, order_id, amount_cents, coalesce(refund_reason, ''), 'succeeded', refund_id, null, updated_at, updated_at
from payments where status = 'refunded';

-- The payment sandbox: payments and refunds that are decided some time later, as at a real provider.
alter table sandbox.payment_intents drop constraint payment_intents_status_check;
alter table sandbox.payment_intents add constraint payment_intents_status_check
  check (status in ('requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled'));
alter table sandbox.payment_intents add column decided_at timestamptz,
  add check ((status = 'processing') = (decided_at is not null));
create index payment_intents_undecided on sandbox.payment_intents (decided_at) where decided_at is not null;

alter table sandbox.refunds add column status text not null default 'succeeded'
    check (status in ('pending', 'succeeded', 'failed')),
  add column failure_reason text,
  add column decided_at timestamptz,
  add check ((status = 'failed') = (failure_reason is not null));
create index refunds_undecided on sandbox.refunds (decided_at) where decided_at is not null;
