-- works with: 20261122205500_job_failures.sql
-- Older versions work with the result, but their queries of products wait while this file rewrites the products.

-- Fitment: search -------------------------------------------------------------------------------------------------

-- The fit of a product that does not depend on the bike. `product_counts` has few more combinations with it: the kind of
-- a part mostly decides it.
create function product_fit_term(fit_kind text, fit_complete boolean)
returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(case
    when fit_kind = 'vehicle' and fit_complete then '{}'
    else array['fit:' || case fit_kind when 'vehicle' then 'open' else fit_kind end] end) $$;

alter table products alter column terms set expression as (
  product_terms(category, kind, brand, price_cents, stock >= minimum_quantity)
  || product_certificate_terms(certificate_values)
  || product_fit_term(fit_kind, fit_complete));

truncate product_counts;
insert into product_counts select terms, count(*) from products where deleted_at is null group by 1;
