-- Audit of guests: whether a guest did it, who has no row in customers.

create or replace view audit_changes as
  select 0 as rank, id, occurred_at as at, kind, actor_id, client_ip, order_id as subject_id, order_id,
    null::integer as pieces, null::jsonb as before, null::jsonb as after, null::text as variant_id, by_guest
  from order_events
  union all
  select 1, id, created_at, kind, moved_by, client_ip, variant_id, order_id, quantity, null, null, variant_id, by_guest
  from stock_movements
  union all
  select 2, id, occurred_at, kind, actor_id, client_ip, product_id, null, null, before, after, variant_id, false
  from product_changes
  union all
  select 3, id, created_at,
    case granted_by when 'settings' then 'admin_by_settings' when 'command' then 'admin_by_command'
      else coalesce(role, 'admin_removed') end,
    changed_by, client_ip, customer_id, null, null, null, null, null, false
  from role_changes;
