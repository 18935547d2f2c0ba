-- works with: 20261122205500_job_failures.sql

-- Fitment: bikes --------------------------------------------------------------------------------------------------

-- The slugs of earlier names, whose pages redirect to the present one.
alter table makes add column old_slugs text[] not null default '{}';
alter table models add column old_slugs text[] not null default '{}';

-- Audit -----------------------------------------------------------------------------------------------------------

create function log_renamed_makes() returns trigger language plpgsql as $$
begin
  perform add_bike_change(renamed.name, 'edited', jsonb_build_object('make', earlier.name),
    jsonb_build_object('make', renamed.name))
  from earlier join renamed using (id) where earlier.name <> renamed.name;
  return null;
end $$;
create trigger makes_log_changes after update on makes referencing old table as earlier new table as renamed
  for each statement execute function log_renamed_makes();

create function log_renamed_models() returns trigger language plpgsql as $$
begin
  perform add_bike_change(makes.name || ' ' || renamed.name, 'edited', jsonb_build_object('model', earlier.name),
    jsonb_build_object('model', renamed.name))
  from earlier join renamed using (id) join makes on makes.id = renamed.make_id where earlier.name <> renamed.name;
  return null;
end $$;
create trigger models_log_changes after update on models referencing old table as earlier new table as renamed
  for each statement execute function log_renamed_models();

create function log_removed_bike_aliases() returns trigger language plpgsql as $$
begin
  perform add_bike_change(makes.name || ' ' || models.name, 'edited', jsonb_build_object('aliases', aliases),
    '{"aliases": null}')
  from (select model_id, string_agg(alias_key, '; ' order by alias_key) as aliases from removed group by model_id) as named
    join models on models.id = model_id join makes on makes.id = make_id;
  return null;
end $$;
create trigger bike_aliases_log_removed after delete on bike_aliases referencing old table as removed
  for each statement execute function log_removed_bike_aliases();
