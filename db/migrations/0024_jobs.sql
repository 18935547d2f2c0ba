-- One row per background job that runs in one process at a time.
create table jobs (
  name text primary key,
  -- No process starts the job before. During a run: the end of its lease.
  due_at timestamptz not null,
  -- The last run. A run that has lost its lease no longer finds its id here.
  run_id text not null
);
