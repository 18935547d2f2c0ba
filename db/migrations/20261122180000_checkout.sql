-- Checkout: orders of guests, and orders with a structured address.

-- Null: a guest ordered it. A guest has no row in customers, because that would block sign-up with this email.
alter table orders alter column customer_id drop not null;
alter table orders
  -- shipping_address is composed of these parts, if they are set.
  add column ship_line1 text,
  add column ship_line2 text,
  add column ship_city text,
  add column ship_region text,
  add column ship_postal_code text,
  add column ship_country text check (ship_country ~ '^[A-Z]{2}$'),
  add column note text not null default '' check (length(note) <= 300),
  -- SHA-256 of the request: a repeated idempotency key must have the same one.
  add column request_hash bytea,
  -- The key of a guest order contains this number. Increasing it invalidates earlier keys.
  add column key_version integer not null default 1,
  add constraint orders_guest_key check (customer_id is not null or idempotency_key is not null);
create unique index orders_idempotency_key_guest on orders (idempotency_key) where customer_id is null;
create index orders_guest_email on orders (customer_email) where customer_id is null;

-- Whether a guest did it, who has no row in customers.
alter table order_events add column by_guest boolean not null default false;
alter table order_events add constraint order_events_guest check (not by_guest or actor_id is null);
alter table stock_movements add column by_guest boolean not null default false;
alter table stock_movements add constraint stock_movements_guest check (not by_guest or moved_by is null);
