-- works with: 20261122205500_job_failures.sql
-- The history of bikes that an admin removes, because nothing refers to them (decision 49).

-- Audit -----------------------------------------------------------------------------------------------------------

create function log_removed_makes() returns trigger language plpgsql as $$
begin
  perform add_bike_change(name, 'edited', jsonb_build_object('make', name), '{"make": null}') from removed;
  return null;
end $$;
create trigger makes_log_removed after delete on makes referencing old table as removed
  for each statement execute function log_removed_makes();

create function log_removed_models() returns trigger language plpgsql as $$
begin
  perform add_bike_change(makes.name || ' ' || removed.name, 'edited', jsonb_build_object('model', removed.name),
    '{"model": null}')
  from removed join makes on makes.id = make_id;
  return null;
end $$;
create trigger models_log_removed after delete on models referencing old table as removed
  for each statement execute function log_removed_models();

-- One row per model, as for added bikes.
create function log_removed_bikes() returns trigger language plpgsql as $$
begin
  perform add_bike_change(makes.name || ' ' || models.name, 'edited', jsonb_build_object('bikes',
    listed || case when total > 50 then '; and ' || total - 50 || ' more' else '' end), '{"bikes": null}')
  from (
    select model_id, count(*) as total,
      string_agg(concat_ws(' ', year, nullif(version, '')), '; ' order by year, version) filter (where number <= 50) as listed
    from (
      select model_id, year, version, row_number() over (partition by model_id order by year, version) as number
      from removed
    ) as numbered
    group by model_id
  ) as bikes join models on models.id = model_id join makes on makes.id = make_id;
  return null;
end $$;
create trigger bikes_log_removed after delete on bikes referencing old table as removed
  for each statement execute function log_removed_bikes();
