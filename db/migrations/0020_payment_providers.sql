-- Payments of several providers, refunds of a part of a payment, and checks that several processes share.

-- Ids of a provider are unique only together with the provider's name.
alter table payments add column provider text not null default 'stripe';
alter table payments alter column provider drop default;
alter table payments drop constraint payments_pkey, add primary key (provider, intent_id);

alter table payment_events add column provider text not null default 'stripe';
alter table payment_events alter column provider drop default;
alter table payment_events drop constraint payment_events_pkey, add primary key (provider, id);

alter table orders add column payment_provider text;
update orders set payment_provider = 'stripe' where transaction_id is not null;
alter table orders drop constraint orders_transaction_id_key,
  add constraint orders_payment unique (payment_provider, transaction_id),
  add constraint orders_payment_check check ((payment_provider is null) = (transaction_id is null));

-- unmatched: the money arrived but pays no order. Its refunds are in the table refunds.
alter table payments drop column refund_id, drop column refund_reason;
alter table payments drop constraint payments_status_check;
update payments set status = 'unmatched' where status = 'refunded';
update payments set status = 'unmatched' from refunds
where refunds.intent_id = payments.intent_id and payments.status in ('open', 'processing');
alter table payments add constraint payments_status_check
  check (status in ('open', 'processing', 'succeeded', 'cancelled', 'unmatched'));

-- A payment can have several refunds. Together they never exceed it: their order is locked when one is added.
alter table refunds add column id text;
update refunds set id = left(md5(intent_id), 24);
drop index refunds_newest;
alter table refunds drop constraint refunds_pkey, add primary key (id), add column provider text not null default 'stripe';
alter table refunds alter column provider drop default;
alter table refunds rename column refund_id to provider_refund_id;
alter table refunds rename column next_try_at to next_attempt_at;
alter table refunds drop constraint refunds_refund_id_key, add unique (provider, provider_refund_id);
create index refunds_of_intent on refunds (provider, intent_id);
create index refunds_newest on refunds (created_at desc, id);

-- When a background job last asked the provider for this payment, and for the payment of this order.
alter table payments add column checked_at timestamptz;
update payments set checked_at = updated_at;
alter table payments alter column checked_at set not null, alter column checked_at set default now();
create index payments_unsettled on payments (checked_at) where status in ('open', 'processing');
alter table orders add column expiry_checked_at timestamptz;
drop index orders_unpaid;
create index orders_unpaid on orders (expiry_checked_at nulls first, placed_at) where status = 'unpaid';
