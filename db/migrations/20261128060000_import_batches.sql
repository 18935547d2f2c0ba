-- works with: 20261123074100_bike_references.sql
-- Imports run in batches, are recorded in the history, and can be undone (decision 79).

alter table product_imports
  -- `file`, or `undo` of another import.
  add column source text not null default 'file',
  add column undo_of text,
  -- The actor and the start of the run. Another process that continues it records this actor. Null before the run.
  add column run_by text,
  add column run_ip inet,
  add column run_at timestamptz,
  -- Null: it does not run in batches, or its rows are not divided yet.
  add column batch_count integer,
  -- The first batch that is not committed. Null: it does not run in batches.
  add column next_batch integer,
  -- 'all', or only products that the shop has: 'existing', and of these only the stock: 'counts' and 'deliveries'.
  add column mode text not null default 'all',
  -- Rows of products that the shop does not have, which such an import leaves out, and the first of them.
  add column unknown_count integer not null default 0,
  add column unknown jsonb not null default '[]',
  -- Large changes that an admin must confirm.
  add column warnings jsonb not null default '[]',
  -- Products that the import left out, and the first of them with the reasons.
  add column skipped_count integer not null default 0,
  add column skipped jsonb not null default '[]';
alter table product_imports
  add constraint product_imports_undo_of foreign key (undo_of) references product_imports not valid,
  add constraint product_imports_run_by foreign key (run_by) references customers not valid,
  add constraint product_imports_source check (source in ('file', 'undo')) not valid,
  add constraint product_imports_mode check (mode in ('all', 'existing', 'counts', 'deliveries')) not valid;

-- Null: the import does not change the product of the row.
alter table product_import_rows add column batch integer;
alter table fitment_import_rows add column batch integer;
alter table part_number_import_rows add column batch integer;

-- The rows of an undo: one for each product or variant that the import has changed.
create table undo_import_rows (
  import_id text not null references product_imports on delete cascade,
  row integer not null,
  product_id text not null,
  -- Null: the product itself.
  variant_id text,
  -- The change by the import: 'added', 'edited' or 'deleted'.
  kind text not null,
  -- The values before and after the import, by column.
  before jsonb not null,
  after jsonb not null,
  -- The pieces that the import added to the stock.
  moved integer not null,
  -- Set by the check: the values to restore, the pieces to add, and whether what was added is deleted, or the reverse.
  restored jsonb not null default '{}',
  move integer not null default 0,
  reverses boolean not null default false,
  -- Why the row, or a part of it, is left out.
  reason text,
  batch integer,
  primary key (import_id, row)
);
create index undo_import_rows_batch on undo_import_rows (import_id, batch);

-- The import that made the change.
alter table product_changes add column import_id text;
alter table product_changes
  add constraint product_changes_import_id foreign key (import_id) references product_imports not valid;
alter table stock_movements add column import_id text;
alter table stock_movements
  add constraint stock_movements_import_id foreign key (import_id) references product_imports not valid;

-- As before, with the transaction setting shop.import_id.
create or replace function log_added_products() returns trigger language plpgsql as $$
declare
  -- Long texts are in the product until an edit logs their previous values, and no product is added with fitments.
  excluded text[] := unaudited_product_columns()
    || '{deleted_at, description, image, fit_kind, fit_complete, replaced_by}'::text[];
  actor text := nullif(current_setting('shop.actor_id', true), '');
  ip inet := nullif(current_setting('shop.client_ip', true), '')::inet;
  import text := nullif(current_setting('shop.import_id', true), '');
begin
  insert into product_changes (product_id, kind, before, after, actor_id, client_ip, import_id)
  select added.id, 'added', '{}',
    to_jsonb(added) - excluded || coalesce(jsonb_strip_nulls(audited_variant_columns(first)), '{}'), actor, ip, import
  from added left join variants as first on first.id = added.id;
  return null;
end $$;

create or replace function log_product_change() returns trigger language plpgsql as $$
begin
  insert into product_changes (product_id, kind, before, after, actor_id, client_ip, import_id)
  select new.id, case when old.deleted_at is null and new.deleted_at is not null then 'deleted' else 'edited' end,
    jsonb_object_agg(key, before.value), jsonb_object_agg(key, after.value),
    nullif(current_setting('shop.actor_id', true), ''), nullif(current_setting('shop.client_ip', true), '')::inet,
    nullif(current_setting('shop.import_id', true), '')
  from jsonb_each(to_jsonb(old) - unaudited_product_columns()) as before
    join jsonb_each(to_jsonb(new)) as after using (key)
  where before.value <> after.value
  having count(*) > 0;
  return null;
end $$;

create or replace function log_added_variants() returns trigger language plpgsql as $$
declare
  actor text := nullif(current_setting('shop.actor_id', true), '');
  ip inet := nullif(current_setting('shop.client_ip', true), '')::inet;
  import text := nullif(current_setting('shop.import_id', true), '');
begin
  insert into stock_movements (variant_id, kind, quantity, moved_by, client_ip, import_id)
  select id, 'count', stock, actor, ip, import from added;
  insert into product_changes (product_id, variant_id, kind, before, after, actor_id, client_ip, import_id)
  select product_id, id, 'added', '{}', jsonb_strip_nulls(audited_variant_columns(added)), actor, ip, import
  from added where id <> product_id;
  return null;
end $$;

create or replace function log_variant_change() returns trigger language plpgsql as $$
begin
  insert into product_changes (product_id, variant_id, kind, before, after, actor_id, client_ip, import_id)
  select new.product_id, new.id,
    case when old.removed_at < 'infinity' and new.removed_at is null then 'added'
      when old.removed_at is null and new.removed_at is not null then 'deleted' else 'edited' end,
    coalesce(jsonb_object_agg(key, before.value) filter (where before.value <> after.value), '{}'),
    coalesce(jsonb_object_agg(key, after.value) filter (where before.value <> after.value), '{}'),
    nullif(current_setting('shop.actor_id', true), ''), nullif(current_setting('shop.client_ip', true), '')::inet,
    nullif(current_setting('shop.import_id', true), '')
  from jsonb_each(audited_variant_columns(old)) as before
    join jsonb_each(audited_variant_columns(new)) as after using (key)
  -- The deletion of a product is one change.
  where exists (select from products where id = new.product_id and deleted_at is null)
  having count(*) filter (where before.value <> after.value) > 0 or count(*) > 0
    and old.removed_at is distinct from 'infinity' and (old.removed_at is null) <> (new.removed_at is null);
  return null;
end $$;

-- As before, with the import at the end.
create or replace view audit_changes as
  select 0 as rank, id, occurred_at as at, kind, actor_id, client_ip, order_id as subject_id, order_id,
    null::integer as pieces, null::jsonb as before, null::jsonb as after, null::text as variant_id, by_guest,
    null::text as subject_name, 'orders'::text as area, null::text as import_id
  from order_events
  union all
  select 1, id, created_at, kind, moved_by, client_ip, variant_id, order_id, quantity, null, null, variant_id, by_guest,
    null, 'stock', import_id
  from stock_movements
  union all
  select 2, id, occurred_at, kind, actor_id, client_ip, product_id, null, null, before, after, variant_id, false, null,
    'products', import_id
  from product_changes
  union all
  select 3, id, created_at,
    case granted_by when 'settings' then 'admin_by_settings' when 'command' then 'admin_by_command'
      else coalesce(role, 'admin_removed') end,
    changed_by, client_ip, customer_id, null, null, null, null, null, false, null, 'roles', null
  from role_changes
  union all
  select case area when 'brands' then 4 when 'bikes' then 5 end, id, occurred_at, kind, actor_id, client_ip, subject,
    null, null, before, after, null, false, name, area, null
  from changes;
