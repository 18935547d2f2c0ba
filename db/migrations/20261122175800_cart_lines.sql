-- Customers: carts ---------------------------------------------------------------------------------------------------

-- The carts of customers; those of guests are in their browsers. A change of a cart locks the row of the customer and
-- then the lines by variant, size and colour, so that the limit of 50 lines holds under concurrent requests.
create table cart_lines (
  customer_id text not null references customers,
  variant_id text not null references variants,
  -- Chosen for a product with standard options, else empty.
  size text not null default '',
  colour text not null default '',
  quantity integer not null check (quantity between 1 and 1000000),
  -- The price when the line was added.
  unit_price_cents integer not null check (unit_price_cents > 0),
  added_at timestamptz not null default now(),
  primary key (customer_id, variant_id, size, colour)
);
