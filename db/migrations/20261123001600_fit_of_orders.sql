-- works with: 20261122205500_job_failures.sql
-- In a transaction of its own, because it reads all lines and the file before locks them.

alter table order_lines validate constraint order_lines_fit;
