-- no transaction
-- works with: 20261122205500_job_failures.sql

-- The search box looks models up by their names without spaces and dashes.
create index concurrently if not exists models_key on models (replace(slug, '-', ''));
