-- works with: 20261123074100_bike_references.sql
-- Orders of an earlier shop, only to be read (decision 93). No rule of orders, payments or stock reads them.
create table past_orders (
  source text not null check (source in ('shopify')),
  number text not null check (length(number) between 1 and 100),
  -- Empty: the order has none.
  email text not null check (email = lower(email) and length(email) <= 254),
  placed_at timestamptz not null,
  -- In the words of the earlier shop.
  status text not null check (length(status) <= 200),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Hundredths of the currency.
  total_cents bigint not null check (total_cents >= 0),
  name text not null check (length(name) <= 200),
  address text not null check (length(address) <= 1000),
  -- Objects with `quantity`, `name`, `price_cents` and perhaps `sku`.
  lines jsonb not null,
  primary key (source, number)
);
create index past_orders_email on past_orders (email, placed_at desc);

-- The orders of a file. A row is the first row of its order.
create table past_order_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  number text not null,
  email text not null,
  placed_at timestamptz not null,
  status text not null,
  currency text not null,
  total_cents bigint not null,
  name text not null,
  address text not null,
  lines jsonb not null,
  primary key (import_id, row)
);
