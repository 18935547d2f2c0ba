-- works with: 20261122205500_job_failures.sql
-- Manufacturers, and gear that fits people: brands, size charts and certificates.

-- Catalog ---------------------------------------------------------------------------------------------------------

-- The manufacturer of a brand, and the person who is responsible for it in the EU (GPSR, article 19). A brand of
-- products without a row has no data yet.
create table brands (
  name text primary key check (length(name) between 1 and 80),
  maker_name text,
  maker_address text,
  -- An email or a web address.
  maker_contact text,
  eu_name text,
  eu_address text,
  eu_contact text,
  safety_text text
);

-- The sizes of one maker for one kind of product. Charts differ between makers, so no chart is for all of them.
create table size_charts (
  id text primary key,
  brand text not null references brands,
  kind text not null check (length(kind) between 1 and 80),
  unit text not null check (unit in ('cm', 'in')),
  -- The measures, such as ["Chest", "Waist"].
  columns jsonb not null,
  -- A range or null for each measure, such as [{"size": "M", "values": [[96, 100], null]}].
  rows jsonb not null,
  source text not null,
  constraint size_charts_brand_kind unique (brand, kind)
);

create table certificates (
  product_id text not null references products,
  -- As in contract/certificates.ts.
  standard text not null,
  class text not null default '',
  zone text not null default '',
  number text,
  document_url text,
  primary key (product_id, standard, zone)
);

-- The value of a certificate in `products.certificate_values`. The type of a helmet and the digits on the label of boots
-- are not part of it.
create function certificate_value(standard text, class text) returns text language sql immutable parallel safe as $$
  select case when class = '' or standard like 'ECE %' or standard = 'EN 13634' then standard
    else standard || ' ' || class end $$;

-- Audit -----------------------------------------------------------------------------------------------------------

-- The changes of brands and of their size charts, as in product_changes.
create table brand_changes (
  id bigint generated always as identity primary key,
  brand text not null references brands,
  -- The kind of products of a size chart. Null: a change of the brand itself.
  chart text,
  kind text not null check (kind in ('added', 'edited', 'deleted')),
  before jsonb not null,
  after jsonb not null,
  actor_id text references customers,
  client_ip inet,
  occurred_at timestamptz not null default now()
);
create index brand_changes_newest on brand_changes (occurred_at, id);
create trigger append_only before update or delete or truncate on brand_changes execute function refuse_change();

create function log_brand_change() returns trigger language plpgsql as $$
declare
  before jsonb := coalesce(jsonb_strip_nulls(to_jsonb(old)), '{}') - '{id, name}'::text[];
  after jsonb := coalesce(jsonb_strip_nulls(to_jsonb(new)), '{}') - '{id, name}'::text[];
begin
  insert into brand_changes (brand, chart, kind, before, after, actor_id, client_ip)
  select coalesce(to_jsonb(new) ->> 'name', after ->> 'brand', before ->> 'brand'),
    coalesce(after ->> 'kind', before ->> 'kind'),
    case tg_op when 'INSERT' then 'added' when 'DELETE' then 'deleted' else 'edited' end,
    jsonb_object_agg(key, before -> key), jsonb_object_agg(key, after -> key),
    nullif(current_setting('shop.actor_id', true), ''), nullif(current_setting('shop.client_ip', true), '')::inet
  from jsonb_object_keys(before || after) as key
  where before -> key is distinct from after -> key
  having count(*) > 0;
  return null;
end $$;
create trigger brands_log after insert or update on brands for each row execute function log_brand_change();
create trigger size_charts_log after insert or update or delete on size_charts
  for each row execute function log_brand_change();

create or replace view audit_changes as
  select 0 as rank, id, occurred_at as at, kind, actor_id, client_ip, order_id as subject_id, order_id,
    null::integer as pieces, null::jsonb as before, null::jsonb as after, null::text as variant_id, by_guest,
    null::text as subject_name
  from order_events
  union all
  select 1, id, created_at, kind, moved_by, client_ip, variant_id, order_id, quantity, null, null, variant_id, by_guest,
    null
  from stock_movements
  union all
  select 2, id, occurred_at, kind, actor_id, client_ip, product_id, null, null, before, after, variant_id, false, null
  from product_changes
  union all
  select 3, id, created_at,
    case granted_by when 'settings' then 'admin_by_settings' when 'command' then 'admin_by_command'
      else coalesce(role, 'admin_removed') end,
    changed_by, client_ip, customer_id, null, null, null, null, null, false, null
  from role_changes
  union all
  select 4, id, occurred_at, kind, actor_id, client_ip, brand, null, null, before, after, null, false,
    concat_ws(', ', brand, chart)
  from brand_changes;
