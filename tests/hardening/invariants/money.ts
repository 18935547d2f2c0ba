import type { Invariant } from './invariant.ts'

export const moneyRules: Invariant[] = [
  {
    // The seeded orders of the demo shop have no payment at a provider.
    rule: 'a paid order has exactly one payment, of its amount in dollars, and names it',
    offenders: `select o.id, o.transaction_id from orders o left join payments p
        on p.order_id = o.id and p.provider = o.payment_provider and p.intent_id = o.transaction_id
        and p.status = 'succeeded'
        and p.amount_cents = o.amount_cents and p.currency = 'usd'
      where o.status in ('paid', 'shipped', 'refunded') and o.transaction_id <> 'pi_demo_' || o.id and p.intent_id is null`,
  },
  {
    rule: 'a payment that was not refunded has paid its order',
    offenders: `select p.intent_id, p.order_id from payments p join orders o on o.id = p.order_id
      where p.status = 'succeeded' and o.transaction_id is distinct from p.intent_id`,
  },
  {
    rule: 'no payment settles two orders',
    offenders: `select transaction_id from orders where transaction_id is not null
      group by transaction_id having count(*) > 1`,
  },
  {
    rule: 'an order has at most one open or successful payment',
    offenders: `select order_id from payments where status in ('open', 'processing', 'succeeded')
      group by order_id having count(*) > 1`,
  },
  {
    rule: 'a cancelled order has no open payment',
    offenders: `select p.intent_id, p.status from payments p join orders o on o.id = p.order_id
      where o.status = 'cancelled' and p.status in ('open', 'processing', 'succeeded')`,
  },
  {
    rule: 'a payment that pays no order is refunded in full, and no other payment is refunded as such',
    offenders: `select intent_id, p.status, p.amount_cents, sum(r.amount_cents) as refunds
      from payments p full join (select * from refunds where kind = 'unmatched') r using (provider, intent_id)
      group by intent_id, p.status, p.amount_cents
      having sum(r.amount_cents) is distinct from case p.status when 'unmatched' then p.amount_cents end`,
  },
  {
    rule: 'a paid order was refunded what its refunds add up to, and by its own payment',
    offenders: `select o.id, refunded_cents, refunds from orders o
      cross join lateral (select coalesce(sum(r.amount_cents), 0) as refunds,
          bool_or(r.intent_id is distinct from o.transaction_id) as is_other
        from refunds r where r.order_id = o.id and kind <> 'unmatched') own
      where refunded_cents <> refunds or is_other`,
  },
  {
    rule: 'a refund of an order is the sum of its lines',
    offenders: `select r.id, r.amount_cents, sum(l.amount_cents) as lines from refunds r
      left join refund_lines l on l.refund_id = r.id
      where r.kind <> 'unmatched' group by r.id
      having sum(l.amount_cents) is distinct from r.amount_cents`,
  },
  {
    rule: 'the refunds of a line are not above its amount, its tax and its pieces, and reach both together',
    offenders: `select r.order_id, l.line_number, sum(l.amount_cents) as refunded, o.total from refunds r
      join refund_lines l on l.refund_id = r.id
      left join lateral (select quantity, tax_cents, coalesce(total_cents, unit_price_cents * quantity) as total
        from order_lines o where o.order_id = r.order_id and o.line_number = l.line_number) o on true
      where l.line_number > 0 group by r.order_id, l.line_number, o.quantity, o.tax_cents, o.total
      having o.total is null or sum(l.pieces) > o.quantity or sum(l.amount_cents) > o.total
        or sum(l.tax_cents) > o.tax_cents
        or sum(l.amount_cents) = o.total and o.total > 0 and sum(l.tax_cents) <> o.tax_cents`,
  },
  {
    rule: 'the history of an order has an event when each refund was due and when it succeeded',
    offenders: `select order_id, count(*) as refunds from refunds r where amount_cents > 0 group by order_id
      having count(*) <> (select count(*) from order_events e
          where e.order_id = r.order_id and kind = 'refund_due')
        or count(*) filter (where status = 'succeeded') > (select count(*) from order_events e
          where e.order_id = r.order_id and kind = 'refunded')`,
  },
  {
    rule: 'the numbers of invoices and of credit notes are 1 to the highest one, in the order of their times',
    offenders: `select kind, number, place, issued_at from (
        select kind, number, issued_at, row_number() over series as place, lag(issued_at) over series as previous
        from invoices window series as (partition by kind order by number)) numbered
      where number <> place or issued_at < previous`,
  },
  {
    rule: 'each invoice belongs to an order that was paid, and each credit note to a refund of an order with an invoice',
    offenders: `select i.kind, i.number from invoices i join orders o on o.id = i.order_id
      left join refunds r on r.id = i.refund_id
      where o.status not in ('paid', 'shipped', 'refunded')
        or i.kind = 'credit_note' and (r.order_id <> o.id or r.kind = 'unmatched' or r.amount_cents = 0
          or not exists (select from invoices f where f.order_id = o.id and f.kind = 'invoice'))`,
  },
  {
    rule: 'the open returns of a line wait for at most its pieces',
    offenders: `select r.order_id, l.line_number, sum(awaited) as awaited, o.quantity from returns r
      join return_lines l on l.return_id = r.id
      join order_lines o on o.order_id = r.order_id and o.line_number = l.line_number
      cross join lateral (select greatest(0, l.pieces - coalesce(sum(f.pieces), 0)) as awaited
        from refunds d join refund_lines f on f.refund_id = d.id
        where d.return_id = r.id and f.line_number = l.line_number) w
      where r.status in ('requested', 'approved') group by r.order_id, l.line_number, o.quantity
      having sum(awaited) > o.quantity`,
  },
  {
    rule: 'each return and each withdrawal from an order is in its history once',
    offenders: `select r.order_id, is_withdrawal, count(*) from returns r where order_id is not null
      group by r.order_id, is_withdrawal having count(*) <> (
        select count(*) from order_events e where e.order_id = r.order_id
          and e.kind = case when is_withdrawal then 'withdrawn' else 'return_requested' end)`,
  },
  {
    rule: 'a refund for a return is of its order',
    offenders: `select f.id from refunds f join returns r on r.id = f.return_id
      where f.order_id is distinct from r.order_id`,
  },
]
