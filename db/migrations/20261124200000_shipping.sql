-- works with: 20261123074100_bike_references.sql
-- Shipping rates, and the charges of an order beside its lines. Without rates an order costs the sum of its lines.

-- Rates with one name are one option of the buyer.
create table shipping_rates (
  id text primary key,
  position integer not null,
  name text not null check (length(name) between 1 and 60),
  note text not null default '' check (length(note) <= 200),
  -- As `US`, `US-NY` or `US 100`. Empty: everywhere.
  places text[] not null default '{}',
  -- Null: any weight.
  max_grams integer check (max_grams > 0),
  price_cents integer not null check (price_cents >= 0),
  -- The price of the goods, after the discount, from which the rate is free.
  free_from_cents integer check (free_from_cents > 0),
  -- Not null: the buyer collects the order at this place.
  pickup_place text
);

-- The amounts beside the lines, as they were when the order was placed.
create table order_charges (
  order_id text not null references orders,
  number integer not null check (number >= 1),
  kind text not null check (kind in ('discount', 'shipping', 'tax')),
  label text not null,
  amount_cents integer not null,
  -- Part of the prices, and not added to the amount.
  is_included boolean not null default false check (not is_included or kind = 'tax'),
  primary key (order_id, number),
  check ((kind = 'discount') = (amount_cents < 0))
);
create trigger append_only before update or delete or truncate on order_charges
  execute function refuse_change();

-- What the buyer pays for the line, with its shares of discount and added tax. Null: unit price times quantity.
alter table order_lines add total_cents integer;
alter table order_lines add tax_cents integer not null default 0;
-- The buyer collects the order.
alter table orders add is_pickup boolean not null default false;
