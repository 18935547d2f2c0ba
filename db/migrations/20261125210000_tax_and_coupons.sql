-- works with: 20261123074100_bike_references.sql
-- Tax rates and discount codes. Without them an order costs its lines and its shipping.

create table tax_rates (
  id text primary key,
  -- As `US`, `US-NY` or `US 100`.
  place text not null constraint tax_rates_place unique,
  label text not null check (length(label) between 1 and 60),
  -- Parts per million.
  rate_ppm integer not null check (rate_ppm between 1 and 1000000),
  -- Part of the prices, and not added to them.
  is_included boolean not null,
  taxes_shipping boolean not null
);

create table coupons (
  id text primary key,
  -- As the buyer sees it.
  code text not null check (length(code) between 6 and 40),
  -- The form in which codes are compared: capitals and digits.
  code_key text not null constraint coupons_code unique check (code_key ~ '^[A-Z0-9]{6,40}$'),
  kind text not null check (kind in ('percent', 'amount', 'shipping')),
  -- Parts per million.
  rate_ppm integer check (rate_ppm between 1 and 1000000),
  amount_cents integer check (amount_cents > 0),
  -- The price of all goods, before the discount, from which the code applies.
  min_goods_cents integer not null default 0 check (min_goods_cents >= 0),
  -- Not null: only goods of this kind or brand are discounted.
  product_kind text,
  brand text,
  starts_at timestamptz,
  ends_at timestamptz,
  max_uses integer check (max_uses > 0),
  once_per_buyer boolean not null default false,
  -- Its orders that are not cancelled.
  used integer not null default 0 check (used >= 0),
  check ((kind = 'percent') = (rate_ppm is not null) and (kind = 'amount') = (amount_cents is not null))
);

alter table orders add coupon_id text;
alter table orders add constraint orders_coupon_id_fkey foreign key (coupon_id) references coupons not valid;
-- Whether the coupon could be used once for each buyer when the order was placed.
alter table orders add coupon_once boolean not null default false;
