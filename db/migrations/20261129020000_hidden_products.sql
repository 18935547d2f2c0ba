-- works with: 20261123074100_bike_references.sql
-- A hidden product is not for sale, and keeps its part numbers (decision 82). An earlier version, which does not know the
-- column, sells it until its process ends.

alter table products add column hidden boolean not null default false;
alter table product_import_rows add column hidden boolean;

-- As before, but only the products that are for sale are counted and listed.

create or replace function add_product_counts() returns trigger language plpgsql as $$
begin
  insert into product_counts
  select terms, count(*) from added where deleted_at is null and not hidden group by 1;
  perform add_product_words(array_agg(concat_ws(' ', name, brand, kind, category, supplier))) from added;
  perform add_facet_lexemes(array_agg(kind), array_agg(brand), array_agg(document)) from added;
  return null;
end $$;

create or replace function update_product_counts() returns trigger language plpgsql as $$
begin
  insert into product_counts
  select terms, products
  from (values
    (old.terms, -1, old.deleted_at is null and not old.hidden),
    (new.terms, 1, new.deleted_at is null and not new.hidden)) as counted (terms, products, is_sold)
  where is_sold;
  return null;
end $$;
create or replace trigger products_counts_update after update on products for each row
  when (old.terms is distinct from new.terms
    or (old.deleted_at is null and not old.hidden) <> (new.deleted_at is null and not new.hidden))
  execute function update_product_counts();

create or replace function add_sitemap_entries() returns trigger language plpgsql as $$
begin
  insert into sitemap_entries (product_id, is_listed) select id, deleted_at is null and not hidden from added;
  return null;
end $$;

create or replace function touch_sitemap_entry() returns trigger language plpgsql as $$
begin
  update sitemap_entries
  set changed_at = clock_timestamp(), is_listed = new.deleted_at is null and not new.hidden
  where product_id = new.id;
  return null;
end $$;

-- As before, without `hidden`: a change of it is logged with the previous value.
create or replace function log_added_products() returns trigger language plpgsql as $$
declare
  -- Long texts are in the product until an edit logs their previous values, and no product is added with fitments.
  excluded text[] := unaudited_product_columns()
    || '{deleted_at, hidden, description, image, fit_kind, fit_complete, replaced_by}'::text[];
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
