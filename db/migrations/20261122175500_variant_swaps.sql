-- Two variants may swap their part numbers, or their size and colour. Unique indexes compare row by row, so such
-- variants get the removal time 'infinity' until they have their new values, in the same transaction. The audit has
-- only the change from the old values to the new ones.

create or replace function log_variant_change() returns trigger language plpgsql as $$
begin
  insert into product_changes (product_id, variant_id, kind, before, after, actor_id, client_ip)
  select new.product_id, new.id,
    case when old.removed_at < 'infinity' and new.removed_at is null then 'added'
      when old.removed_at is null and new.removed_at is not null then 'deleted' else 'edited' end,
    coalesce(jsonb_object_agg(key, before.value) filter (where before.value <> after.value), '{}'),
    coalesce(jsonb_object_agg(key, after.value) filter (where before.value <> after.value), '{}'),
    nullif(current_setting('shop.actor_id', true), ''), nullif(current_setting('shop.client_ip', true), '')::inet
  from jsonb_each(audited_variant_columns(old)) as before
    join jsonb_each(audited_variant_columns(new)) as after using (key)
  -- The deletion of a product is one change.
  where exists (select from products where id = new.product_id and deleted_at is null)
  having count(*) filter (where before.value <> after.value) > 0 or count(*) > 0
    and old.removed_at is distinct from 'infinity' and (old.removed_at is null) <> (new.removed_at is null);
  return null;
end $$;

drop trigger variants_log_update on variants;
create trigger variants_log_update after update on variants for each row
  when (differs_beyond_stock(old, new) and new.removed_at is distinct from 'infinity')
  execute function log_variant_change();
