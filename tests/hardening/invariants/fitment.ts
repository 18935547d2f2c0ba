import type { Invariant } from './invariant.ts'

export const fitmentRules: Invariant[] = [
  {
    rule: 'the bikes of a product are those that its fitments cover',
    offenders: `select p.id, p.fits, p.fits_some from products p
      cross join lateral (
        select coalesce(array_agg(id order by id) filter (where covered), '{}') as fits,
          coalesce(array_agg(id order by id) filter (where not covered and version = ''), '{}') as fits_some
        from (
          select b.id, b.version,
            bool_or(f.version is null or lower(f.version collate "C") = lower(b.version collate "C")) as covered
          from fitments f join bikes b on b.model_id = f.model_id and b.year between f.year_from and f.year_to
          where f.product_id = p.id group by b.id) as bikes) as derived
      where (p.fits, p.fits_some) is distinct from (derived.fits, derived.fits_some)`,
  },
  {
    rule: 'universal parts and gear have no fitments, and a complete list has at least one',
    offenders: `select p.id, fit_kind from products p
      where exists (select from fitments f where f.product_id = p.id) and fit_kind <> 'vehicle'
        or not exists (select from fitments f where f.product_id = p.id) and fit_complete`,
  },
  {
    rule: 'every model and year of a bike has one without a version',
    offenders: `select model_id, year from bikes group by 1, 2 having count(*) filter (where version = '') <> 1`,
  },
  {
    rule: 'replacements form no loop and no chain longer than 10',
    offenders: `with recursive chain as (
        select id, replaced_by, 1 as length from products where replaced_by is not null
        union all
        select chain.id, next.replaced_by, length + 1 from chain join products next on next.id = chain.replaced_by
        where next.replaced_by is not null and length <= 10)
      select id from chain where length > 10`,
  },
  {
    rule: 'a product has at most 200 part numbers of other makers',
    offenders: 'select product_id from part_numbers group by product_id having count(*) > 200',
  },
  {
    // The statement that places the order decides the answer, and bikes never change. The setup of a check has no actor.
    rule: 'the fit of an order line is that of the rules, unless an admin changed the product later',
    offenders: `select l.order_id, l.line_number, l.fit_answer, answer from order_lines l
      join orders o on o.id = l.order_id join products p on p.id = l.product_id
      cross join lateral (select case when fit_kind <> 'vehicle' then fit_kind
        when l.bike_id = any(fits) then 'fits' when l.bike_id = any(fits_some) then 'fits_some'
        when fit_complete then 'does_not_fit' else 'not_confirmed' end as answer) as now
      where l.fit_answer <> answer and not exists (
        select from product_changes c where c.product_id = l.product_id and c.actor_id is not null
          and c.occurred_at > o.placed_at - interval '1 minute'
          and c.after ?| '{fitments,fit_kind,fit_complete}'::text[])`,
  },
  {
    rule: 'a garage has at most 10 bikes',
    offenders: 'select customer_id from garage_bikes group by customer_id having count(*) > 10',
  },
  {
    rule: 'a garage has at most one current bike',
    offenders:
      'select customer_id from garage_bikes where is_current group by customer_id having count(*) > 1',
  },
]
