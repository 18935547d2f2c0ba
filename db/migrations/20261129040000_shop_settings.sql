-- works with: 20261123074100_bike_references.sql
-- The settings of the shop that admins save (decision 84). A missing row, or a missing field of a value, has its default.

create table shop_settings (
  -- A group of settings with a schema of its own, such as 'shop', 'brand' or 'footer'.
  name text primary key check (name ~ '^[a-z_]{1,40}$'),
  value jsonb not null check (jsonb_typeof(value) = 'object' and octet_length(value::text) <= 65536),
  -- Each save adds 1. A row is never deleted, so that no version is used twice.
  version integer not null default 1 check (version >= 1),
  changed_at timestamptz not null default now()
);
