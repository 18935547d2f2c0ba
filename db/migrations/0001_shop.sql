-- Ids are 24 random hexadecimal characters, made by the server: no id tells an age, and no two look alike.

create table products (
  id text primary key,
  name text not null check (length(name) between 1 and 200),
  description text not null,
  image text not null,
  category text check (category in ('Local', 'Imported')),
  supplier text,
  minimum_quantity integer not null check (minimum_quantity >= 1),
  stock integer not null check (stock >= 0),
  price_cents integer not null check (price_cents > 0),
  created_at timestamptz not null default now(),
  -- A deleted product leaves the catalogue; orders keep pointing at it.
  deleted_at timestamptz
);
create index products_catalogue on products (created_at, id) where deleted_at is null;

create table customers (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null default '',
  phone text not null default '',
  birthday date,
  sex text check (sex in ('Male', 'Female', 'Common')),
  bio text not null default '',
  photo text not null default '',
  role text check (role = 'admin'),
  -- Access tokens carry this number; raising it voids them all at once.
  token_version integer not null default 1,
  created_at timestamptz not null default now()
);
create index customers_newest on customers (created_at desc, id);

-- Who the identity provider says somebody is. One customer may sign in through several providers.
create table customer_identities (
  issuer text not null,
  subject text not null,
  customer_id text not null references customers,
  email_verified boolean not null,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index customer_identities_customer on customer_identities (customer_id);

-- Who made whom admin.
create table role_changes (
  id bigint generated always as identity primary key,
  customer_id text not null references customers,
  role text not null check (role = 'admin'),
  -- Null: given by the shop's own settings or command line.
  changed_by text references customers,
  created_at timestamptz not null default now()
);

create table orders (
  id text primary key,
  customer_id text not null references customers,
  status text not null check (status in ('unpaid', 'paid', 'shipped', 'cancelled')),
  amount_cents integer not null check (amount_cents > 0),
  customer_email text not null,
  customer_name text not null,
  customer_phone text not null,
  shipping_address text not null,
  -- The payment intent that paid it: no intent pays two orders.
  transaction_id text unique,
  -- The buyer's own key: a repeated request finds the order that the first one made.
  idempotency_key text,
  -- Null only for imported orders whose date nobody knows.
  placed_at timestamptz default now(),
  paid_at timestamptz,
  shipped_at timestamptz,
  cancelled_at timestamptz,
  constraint orders_once unique (customer_id, idempotency_key),
  check ((status in ('paid', 'shipped')) = (transaction_id is not null))
);
create index orders_of_customer on orders (customer_id, placed_at desc, id) where status <> 'cancelled';
create index orders_newest on orders (placed_at desc, id) where status <> 'cancelled';

-- What was ordered, as it was on that day.
create table order_lines (
  order_id text not null references orders,
  line_number integer not null check (line_number >= 1),
  product_id text not null references products,
  product_name text not null,
  product_image text not null,
  unit_price_cents integer not null check (unit_price_cents > 0),
  quantity integer not null check (quantity > 0),
  size text,
  colour text,
  primary key (order_id, line_number)
);
create index order_lines_product on order_lines (product_id);

-- Every change of stock: for each product the quantities add up to its stock.
create table stock_movements (
  id bigint generated always as identity primary key,
  product_id text not null references products,
  kind text not null check (kind in ('sale', 'release', 'restock', 'count')),
  quantity integer not null,
  order_id text references orders,
  -- Null: the shop itself, as when it was seeded.
  moved_by text references customers,
  created_at timestamptz not null default now(),
  check ((kind in ('sale', 'release')) = (order_id is not null)),
  check (kind <> 'sale' or quantity < 0),
  check (kind <> 'release' or quantity > 0)
);
create index stock_movements_product on stock_movements (product_id, id);
-- Stock is taken once for an order, and given back once.
create unique index stock_movements_once on stock_movements (order_id, product_id, kind)
  where kind in ('sale', 'release');

-- One row for each payment intent at the provider.
create table payments (
  intent_id text primary key,
  order_id text not null references orders,
  attempt integer not null check (attempt >= 1),
  amount_cents integer not null check (amount_cents > 0),
  currency text not null check (currency = 'usd'),
  status text not null check (status in ('open', 'processing', 'succeeded', 'cancelled', 'refunded')),
  refund_id text,
  refund_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (order_id, attempt),
  check ((status = 'refunded') = (refund_id is not null))
);
-- One live intent for an order, and never a second one beside a success.
create unique index payments_live on payments (order_id) where status in ('open', 'processing', 'succeeded');

-- Events of the provider that were handled, so that a repeat changes nothing.
create table payment_events (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now()
);

create table reviews (
  id text primary key,
  -- Null for reviews that came with the demo shop.
  customer_id text references customers,
  name text not null,
  photo text not null default '',
  email text not null default '',
  designation text not null default '',
  review text not null default '',
  created_at timestamptz not null default now()
);
create index reviews_newest on reviews (created_at desc, id);
