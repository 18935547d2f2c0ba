-- Customers: addresses -----------------------------------------------------------------------------------------------

-- The addresses that a customer has saved. Orders contain a copy. Every change locks the row of the customer, so that
-- the limit of addresses and the single default hold under concurrent requests.
create table addresses (
  id text primary key,
  customer_id text not null references customers,
  label text not null default '',
  name text not null,
  phone text not null default '',
  line1 text not null,
  line2 text not null default '',
  city text not null,
  region text not null default '',
  postal_code text not null default '',
  -- ISO 3166-1 alpha-2.
  country text not null check (country ~ '^[A-Z]{2}$'),
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);
create index addresses_customer on addresses (customer_id, created_at, id);
create unique index addresses_default on addresses (customer_id) where is_default;
