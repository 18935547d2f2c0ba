-- no transaction
-- works with: 20261122205500_job_failures.sql

-- The audit list of a make, a model or a bike.
create index concurrently if not exists bike_changes_subject on bike_changes (subject, id);
