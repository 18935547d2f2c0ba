-- works with: 20261122205500_job_failures.sql

-- The position of the part on the bike, such as 'front', as it was when the order was placed.
alter table order_lines add column fit_position text;
alter table order_lines add constraint order_lines_fit_position check (length(fit_position) <= 200) not valid;
