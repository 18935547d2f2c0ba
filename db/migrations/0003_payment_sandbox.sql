-- The payment sandbox's own books: what the card payment provider would keep on its side.
-- Used only where no provider keys are set. The shop never reads these tables, it asks over HTTP.
create schema sandbox;

-- A test card as the sandbox remembers it: what it does, never its number or its security code.
create table sandbox.payment_methods (
  id text primary key,
  behaviour text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month integer not null check (exp_month between 1 and 12),
  exp_year integer not null,
  created_at timestamptz not null default now()
);

create table sandbox.payment_intents (
  id text primary key,
  client_secret text not null unique,
  amount_cents integer not null check (amount_cents between 50 and 99999999),
  currency text not null check (currency = 'usd'),
  status text not null default 'requires_payment_method'
    check (status in ('requires_payment_method', 'requires_action', 'succeeded', 'canceled')),
  metadata jsonb not null default '{}',
  description text,
  payment_method_id text references sandbox.payment_methods (id),
  last_payment_error jsonb,
  cancellation_reason text,
  canceled_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status = 'canceled') = (canceled_at is not null))
);

create index payment_intents_newest on sandbox.payment_intents (created_at desc);

create table sandbox.charges (
  id text primary key,
  payment_intent_id text not null references sandbox.payment_intents (id),
  payment_method_id text not null references sandbox.payment_methods (id),
  amount_cents integer not null check (amount_cents > 0),
  amount_refunded_cents integer not null default 0 check (amount_refunded_cents between 0 and amount_cents),
  currency text not null,
  status text not null check (status in ('succeeded', 'failed')),
  failure_code text,
  failure_message text,
  created_at timestamptz not null default now(),
  check (status = 'succeeded' or amount_refunded_cents = 0)
);

create index charges_of_intent on sandbox.charges (payment_intent_id, created_at desc);
-- The row lock keeps two confirmations apart; this would stop a second charge even without it.
create unique index charges_once on sandbox.charges (payment_intent_id) where status = 'succeeded';

create table sandbox.refunds (
  id text primary key,
  charge_id text not null references sandbox.charges (id),
  payment_intent_id text not null references sandbox.payment_intents (id),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null,
  reason text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now()
);

create index refunds_of_intent on sandbox.refunds (payment_intent_id, created_at desc);
create index refunds_of_charge on sandbox.refunds (charge_id);

create table sandbox.events (
  id text primary key,
  sequence bigint generated always as identity unique,
  type text not null,
  object jsonb not null,
  request_id text not null,
  idempotency_key text,
  created_at timestamptz not null default now()
);

-- One row for each event: there is one webhook endpoint, the shop's.
-- next_attempt_at is null once the event is delivered or given up.
create table sandbox.webhook_deliveries (
  event_id text primary key references sandbox.events (id),
  attempts integer not null default 0,
  next_attempt_at timestamptz default now(),
  delivered_at timestamptz,
  last_result text
);

create index webhook_deliveries_due on sandbox.webhook_deliveries (next_attempt_at)
  where next_attempt_at is not null;

-- The first answer to a request that carried an Idempotency-Key; repeated for 24 hours.
create table sandbox.idempotency_keys (
  caller text not null,
  key text not null,
  fingerprint text not null,
  status integer,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);

create index idempotency_keys_oldest on sandbox.idempotency_keys (created_at);
