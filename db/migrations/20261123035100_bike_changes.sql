-- works with: 20261122205500_job_failures.sql
-- The history of makes, models, bikes and their other names (decision 18).

-- Audit -----------------------------------------------------------------------------------------------------------

-- As in product_changes. The subject is a make, a model or a bike: 'Yamaha', 'Yamaha YZF-R6', '2009 Yamaha YZF-R6 ABS'.
create table bike_changes (
  id bigint generated always as identity primary key,
  subject text not null,
  kind text not null check (kind in ('added', 'edited')),
  before jsonb not null,
  after jsonb not null,
  actor_id text references customers,
  client_ip inet,
  occurred_at timestamptz not null default now()
);
create index bike_changes_newest on bike_changes (occurred_at, id);
create trigger append_only before update or delete or truncate on bike_changes execute function refuse_change();

create function add_bike_change(subject text, kind text, before jsonb, after jsonb) returns void language sql as $$
  insert into bike_changes (subject, kind, before, after, actor_id, client_ip)
  values (subject, kind, before, after,
    nullif(current_setting('shop.actor_id', true), ''), nullif(current_setting('shop.client_ip', true), '')::inet) $$;

create function log_added_makes() returns trigger language plpgsql as $$
begin
  perform add_bike_change(name, 'added', '{}', jsonb_build_object('make', name)) from added;
  return null;
end $$;
create trigger makes_log after insert on makes referencing new table as added
  for each statement execute function log_added_makes();

create function log_added_models() returns trigger language plpgsql as $$
begin
  perform add_bike_change(makes.name || ' ' || added.name, 'added', '{}', jsonb_build_object('model', added.name))
  from added join makes on makes.id = make_id;
  return null;
end $$;
create trigger models_log after insert on models referencing new table as added
  for each statement execute function log_added_models();

-- One row per model, because one statement adds many years of it.
create function log_added_bikes() returns trigger language plpgsql as $$
begin
  perform add_bike_change(makes.name || ' ' || models.name, 'added', '{}', jsonb_build_object('bikes',
    listed || case when total > 50 then '; and ' || total - 50 || ' more' else '' end))
  from (
    select model_id, count(*) as total,
      string_agg(concat_ws(' ', year, nullif(version, '')), '; ' order by year, version) filter (where number <= 50) as listed
    from (
      select model_id, year, version, row_number() over (partition by model_id order by year, version) as number from added
    ) as numbered
    group by model_id
  ) as bikes join models on models.id = model_id join makes on makes.id = make_id;
  return null;
end $$;
create trigger bikes_log after insert on bikes referencing new table as added
  for each statement execute function log_added_bikes();

create function log_changed_bikes() returns trigger language plpgsql as $$
begin
  perform add_bike_change(concat_ws(' ', year, makes.name, models.name, nullif(version, '')), 'edited',
    jsonb_object_agg(key, before -> key), jsonb_object_agg(key, after -> key))
  from (
    select old_bikes.id, new_bikes.model_id, new_bikes.year, new_bikes.version, to_jsonb(old_bikes) as before,
      to_jsonb(new_bikes) as after
    from old_bikes join new_bikes using (id)
  ) as bikes join models on models.id = model_id join makes on makes.id = make_id,
    jsonb_object_keys(after) as key
  where before -> key is distinct from after -> key
  group by bikes.id, year, makes.name, models.name, version;
  return null;
end $$;
create trigger bikes_log_changes after update on bikes referencing old table as old_bikes new table as new_bikes
  for each statement execute function log_changed_bikes();

create function log_added_bike_aliases() returns trigger language plpgsql as $$
begin
  perform add_bike_change(makes.name || ' ' || models.name, 'edited', '{"aliases": null}',
    jsonb_build_object('aliases', aliases))
  from (select model_id, string_agg(alias_key, '; ' order by alias_key) as aliases from added group by model_id) as named
    join models on models.id = model_id join makes on makes.id = make_id;
  return null;
end $$;
create trigger bike_aliases_log after insert on bike_aliases referencing new table as added
  for each statement execute function log_added_bike_aliases();

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
  from brand_changes
  union all
  select 5, id, occurred_at, kind, actor_id, client_ip, subject, null, null, before, after, null, false, subject
  from bike_changes;
