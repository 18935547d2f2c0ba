-- Variants: the sizes and colours of a product, with their own part number and stock. A variant is what is sold,
-- restocked and counted. The first variant of a product has the product's id.

alter table products add column options text not null default 'standard'
  check (options in ('none', 'standard', 'variants'));
-- One piece each of two sizes is not two pieces of one size.
alter table products add constraint products_minimum_of_variants check (options <> 'variants' or minimum_quantity = 1);

create table variants (
  id text primary key,
  product_id text not null references products,
  position integer not null check (position >= 1),
  size text check (length(size) between 1 and 20),
  colour text check (length(colour) between 1 and 40),
  -- The colour on screens, such as #1d3f8f.
  swatch text check (swatch ~ '^#[0-9a-f]{6}$'),
  sku text check (length(sku) <= 40 and sku ~ '[A-Za-z0-9]'),
  -- The part number without dashes, spaces and case.
  sku_key text collate "C" generated always as (upper(regexp_replace(sku, '[^A-Za-z0-9]', '', 'g'))) stored,
  gtin text collate "C" check (is_gtin(gtin)),
  -- Null: the price of the product.
  price_cents integer check (price_cents > 0),
  -- Null: the picture of the product.
  image text,
  -- Null: unknown.
  weight_grams integer check (weight_grams > 0),
  stock integer not null check (stock >= 0),
  -- Orders still refer to a removed variant.
  removed_at timestamptz,
  created_at timestamptz not null default now()
);

insert into variants (id, product_id, position, sku, gtin, stock, removed_at, created_at)
select id, id, 1, sku, gtin, stock, deleted_at, created_at from products;

-- A removed variant is not for sale: the stock of a product is that of its other variants.
update products set stock = 0 where deleted_at is not null;

drop index products_sku;
drop index products_gtin;
alter table products drop column sku_key, drop column sku, drop column gtin;

create unique index variants_sku on variants (sku_key) where removed_at is null;
create index variants_gtin on variants (gtin) where removed_at is null;
create unique index variants_choice on variants (product_id, coalesce(size, ''), coalesce(colour, ''))
  where removed_at is null;
create index variants_product on variants (product_id, position);
create index variants_uploaded_picture on variants (substring(image from '^/pictures/uploaded/([0-9a-f]{32})'))
  where removed_at is null and substring(image from '^/pictures/uploaded/([0-9a-f]{32})') is not null;

-- Stock -----------------------------------------------------------------------------------------------------------

alter table stock_movements drop constraint stock_movements_product_id_fkey;
-- The first variant has the id of its product, so the rows stay valid. The view reads the renamed column.
alter table stock_movements rename column product_id to variant_id;
alter table stock_movements add foreign key (variant_id) references variants;
alter index stock_movements_product rename to stock_movements_variant;

-- Keeps products.stock the sum of the stock of the variants that are not removed. Who changes a variant has locked its
-- product, so the sum is that of the last commit and this transaction.
create function sum_variant_stock() returns trigger language plpgsql as $$
begin
  update products set stock = summed.stock
  from (
    select product_id, coalesce(sum(stock) filter (where removed_at is null), 0) as stock
    from variants where product_id in (select product_id from changed) group by product_id
  ) as summed
  where products.id = summed.product_id and products.stock <> summed.stock;
  return null;
end $$;
create trigger variants_stock_insert after insert on variants referencing new table as changed
  for each statement execute function sum_variant_stock();
create trigger variants_stock_update after update on variants referencing new table as changed
  for each statement execute function sum_variant_stock();

-- Every product has a variant: one that is added without any gets its first one.
create function add_first_variants() returns trigger language plpgsql as $$
begin
  insert into variants (id, product_id, position, stock, removed_at, created_at)
  select id, id, 1, stock, deleted_at, created_at from added
  where not exists (select from variants where product_id = added.id);
  return null;
end $$;
create trigger products_first_variant after insert on products referencing new table as added
  for each statement execute function add_first_variants();

create function remove_variants() returns trigger language plpgsql as $$
begin
  update variants set removed_at = new.deleted_at where product_id = new.id and removed_at is null;
  return null;
end $$;
create trigger products_remove_variants after update on products for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function remove_variants();

-- Audit -----------------------------------------------------------------------------------------------------------

-- Null: a change of the product itself.
alter table product_changes add column variant_id text references variants;

-- The stock has its ledger, and the position is only the order of display.
create function audited_variant_columns(variants) returns jsonb language sql immutable as $$
  select to_jsonb($1) - '{id, product_id, position, sku_key, stock, created_at, removed_at}'::text[] $$;

create function differs_beyond_stock(old variants, new variants) returns boolean language plpgsql immutable as $$
begin
  new.stock := old.stock;
  new.position := old.position;
  return new is distinct from old;
end $$;

-- The first variant of a product is added with it.
create or replace function log_added_products() returns trigger language plpgsql as $$
declare
  -- Long texts are in the product until an edit logs their previous values.
  excluded text[] := unaudited_product_columns() || '{deleted_at, description, image}'::text[];
  actor text := nullif(current_setting('shop.actor_id', true), '');
  ip inet := nullif(current_setting('shop.client_ip', true), '')::inet;
begin
  insert into product_changes (product_id, kind, before, after, actor_id, client_ip)
  select added.id, 'added', '{}',
    to_jsonb(added) - excluded || coalesce(jsonb_strip_nulls(audited_variant_columns(first)), '{}'), actor, ip
  from added left join variants as first on first.id = added.id;
  return null;
end $$;

-- The ledger of a variant begins with its first stock.
create function log_added_variants() returns trigger language plpgsql as $$
declare
  actor text := nullif(current_setting('shop.actor_id', true), '');
  ip inet := nullif(current_setting('shop.client_ip', true), '')::inet;
begin
  insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip)
  select id, 'count', stock, actor, ip from added;
  insert into product_changes (product_id, variant_id, kind, before, after, actor_id, client_ip)
  select product_id, id, 'added', '{}', jsonb_strip_nulls(audited_variant_columns(added)), actor, ip
  from added where id <> product_id;
  return null;
end $$;
create trigger variants_log_insert after insert on variants referencing new table as added
  for each statement execute function log_added_variants();

create function log_variant_change() returns trigger language plpgsql as $$
begin
  insert into product_changes (product_id, variant_id, kind, before, after, actor_id, client_ip)
  select new.product_id, new.id,
    case when old.removed_at is not null and new.removed_at is null then 'added'
      when old.removed_at is null and new.removed_at is not null then 'deleted' else 'edited' end,
    coalesce(jsonb_object_agg(key, before.value) filter (where before.value <> after.value), '{}'),
    coalesce(jsonb_object_agg(key, after.value) filter (where before.value <> after.value), '{}'),
    nullif(current_setting('shop.actor_id', true), ''), nullif(current_setting('shop.client_ip', true), '')::inet
  from jsonb_each(audited_variant_columns(old)) as before
    join jsonb_each(audited_variant_columns(new)) as after using (key)
  -- The deletion of a product is one change.
  where exists (select from products where id = new.product_id and deleted_at is null)
  having count(*) > 0;
  return null;
end $$;
create trigger variants_log_update after update on variants for each row
  when (differs_beyond_stock(old, new)) execute function log_variant_change();

-- The public page of a product shows its variants.
create function touch_sitemap_of_variant() returns trigger language plpgsql as $$
begin
  update sitemap_entries set changed_at = clock_timestamp() where product_id = new.product_id;
  return null;
end $$;
create trigger variants_sitemap_update after update on variants for each row
  when ((old.stock > 0) <> (new.stock > 0) or differs_beyond_stock(old, new))
  execute function touch_sitemap_of_variant();

-- The subject of a stock movement is a variant.
create or replace view audit_changes as
  select 0 as rank, id, occurred_at as at, kind, actor_id, client_ip, order_id as subject_id, order_id,
    null::integer as pieces, null::jsonb as before, null::jsonb as after, null::text as variant_id
  from order_events
  union all
  select 1, id, created_at, kind, moved_by, client_ip, variant_id, order_id, quantity, null, null, variant_id
  from stock_movements
  union all
  select 2, id, occurred_at, kind, actor_id, client_ip, product_id, null, null, before, after, variant_id
  from product_changes
  union all
  select 3, id, created_at,
    case granted_by when 'settings' then 'admin_by_settings' when 'command' then 'admin_by_command'
      else coalesce(role, 'admin_removed') end,
    changed_by, client_ip, customer_id, null, null, null, null, null
  from role_changes;

-- Imports ---------------------------------------------------------------------------------------------------------

-- A row describes a variant. Null if the row adds a product, whose id is then `new_id`.
alter table product_import_rows rename column product_id to variant_id;
-- Whether its product is locked, because the row changes it.
alter table product_import_rows add column is_change boolean not null default false;

-- Orders ----------------------------------------------------------------------------------------------------------

alter table order_lines add column variant_id text references variants;
-- A copy, like name, size and colour.
alter table order_lines add column sku text;
update order_lines set variant_id = variants.id, sku = variants.sku from variants where variants.id = order_lines.product_id;
alter table order_lines alter column variant_id set not null;

alter table orders add column pieces integer not null default 1 check (pieces > 0);
alter table orders add column line_count integer not null default 1 check (line_count between 1 and 50);
update orders set pieces = line.quantity
from (select order_id, sum(quantity) as quantity from order_lines group by order_id) as line
where line.order_id = orders.id;
alter table orders alter column pieces drop default, alter column line_count drop default;
drop index order_lines_search;
create index order_lines_search on order_lines using gin (product_name gin_trgm_ops, sku gin_trgm_ops);
create index orders_by_pieces on orders (pieces) where status <> 'cancelled';
