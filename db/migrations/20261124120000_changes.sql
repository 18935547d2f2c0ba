-- works with: 20261123074100_bike_references.sql
-- One table of the changes that admins make outside of products, stock, orders and roles (decision 18). The services write it.

-- Audit -------------------------------------------------------------------------------------------------------------

create table changes (
  id bigint generated always as identity primary key,
  -- As in `auditAreas`.
  area text not null,
  -- The name by which the audit is filtered: a brand, 'Yamaha', 'Yamaha YZF-R6', '2009 Yamaha YZF-R6 ABS'.
  subject text not null,
  -- The name in the list. A size chart is a change of its brand; its name has the kind of products too.
  name text not null,
  kind text not null check (kind in ('added', 'edited', 'deleted')),
  -- The changed values.
  before jsonb not null,
  after jsonb not null,
  -- Null: the system, or the command line.
  actor_id text references customers,
  client_ip inet,
  occurred_at timestamptz not null default now()
);
create index changes_newest on changes (area, occurred_at, id);
create index changes_subject on changes (subject, id);
create trigger append_only before update or delete or truncate on changes execute function refuse_change();

-- Versions up to 1.0.0 rely on the triggers of brands, size charts and bikes. They set the actor of each change, and this
-- version sets none: a row with an actor moves to `changes`, and one without was recorded by its service. A release that
-- does not work with 1.0.0 drops this function, both tables, and the triggers and functions that write them.
create function move_to_changes() returns trigger language plpgsql as $$
declare
  row jsonb := to_jsonb(new);
  subject text := coalesce(row ->> 'brand', row ->> 'subject');
begin
  if new.actor_id is not null then
    insert into changes (area, subject, name, kind, before, after, actor_id, client_ip, occurred_at)
    values (tg_argv[0], subject, concat_ws(', ', subject, row ->> 'chart'), new.kind, new.before, new.after, new.actor_id,
      new.client_ip, new.occurred_at);
  end if;
  return null;
end $$;
create trigger brand_changes_move before insert on brand_changes for each row execute function move_to_changes('brands');
create trigger bike_changes_move before insert on bike_changes for each row execute function move_to_changes('bikes');

insert into changes (area, subject, name, kind, before, after, actor_id, client_ip, occurred_at)
select 'brands', brand, concat_ws(', ', brand, chart), kind, before, after, actor_id, client_ip, occurred_at
from brand_changes order by id;
insert into changes (area, subject, name, kind, before, after, actor_id, client_ip, occurred_at)
select 'bikes', subject, subject, kind, before, after, actor_id, client_ip, occurred_at
from bike_changes order by id;

-- Queries read one area at a time, so that they use the index of its times. `rank` is the position of the area in
-- versions up to 1.0.0, which read it.
create or replace view audit_changes as
  select 0 as rank, id, occurred_at as at, kind, actor_id, client_ip, order_id as subject_id, order_id,
    null::integer as pieces, null::jsonb as before, null::jsonb as after, null::text as variant_id, by_guest,
    null::text as subject_name, 'orders'::text as area
  from order_events
  union all
  select 1, id, created_at, kind, moved_by, client_ip, variant_id, order_id, quantity, null, null, variant_id, by_guest,
    null, 'stock'
  from stock_movements
  union all
  select 2, id, occurred_at, kind, actor_id, client_ip, product_id, null, null, before, after, variant_id, false, null,
    'products'
  from product_changes
  union all
  select 3, id, created_at,
    case granted_by when 'settings' then 'admin_by_settings' when 'command' then 'admin_by_command'
      else coalesce(role, 'admin_removed') end,
    changed_by, client_ip, customer_id, null, null, null, null, null, false, null, 'roles'
  from role_changes
  union all
  select case area when 'brands' then 4 when 'bikes' then 5 end, id, occurred_at, kind, actor_id, client_ip, subject,
    null, null, before, after, null, false, name, area
  from changes;
