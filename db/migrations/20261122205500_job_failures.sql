alter table jobs
  -- Failed runs since the last one that succeeded.
  add column failures integer not null default 0,
  -- The code or message of the last run, if it failed.
  add column failure text;
