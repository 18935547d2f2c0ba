import type { Invariant } from './invariant.ts'

/** Rules that compare the shop's records with the provider's. They hold once all payments are settled. */
export const providerRules: Invariant[] = [
  {
    rule: 'every charge has paid one order of its amount and was refunded what the shop recorded, or was refunded in full exactly once',
    offenders: `select c.id, c.amount_cents, by_shop, recorded from sandbox.charges c
      cross join lateral (select count(*) as paid from orders o
        where o.transaction_id = c.payment_intent_id and o.amount_cents = c.amount_cents) orders
      cross join lateral (select count(*) as made, coalesce(sum(r.amount_cents), 0) as cents,
          coalesce(sum(r.amount_cents) filter (where r.metadata ->> 'desk' is distinct from 'yes'), 0) as by_shop
        from sandbox.refunds r where r.charge_id = c.id and r.status = 'succeeded') refunds
      cross join lateral (select coalesce(sum(amount_cents), 0) as recorded from refunds r
        where r.intent_id = c.payment_intent_id and r.status = 'succeeded') shop
      where c.status = 'succeeded'
        and not (paid = 1 and by_shop = recorded) and not (paid = 0 and made = 1 and cents = c.amount_cents)`,
  },
  {
    rule: 'a refund that has succeeded is one of its amount at the provider',
    offenders: `select r.id, r.amount_cents, s.amount_cents as made from refunds r
      left join sandbox.refunds s on s.id = r.provider_refund_id
      where r.status = 'succeeded' and (s.status is distinct from 'succeeded' or s.amount_cents <> r.amount_cents)`,
  },
  {
    rule: 'every refund has succeeded',
    offenders: `select intent_id, status, failure from refunds where status not in ('succeeded', 'closed')`,
  },
  {
    rule: 'every paid order has a charge at the provider',
    offenders: `select o.id from orders o where o.status in ('paid', 'shipped', 'refunded') and not exists
      (select from sandbox.charges c where c.payment_intent_id = o.transaction_id and c.status = 'succeeded'
        and c.amount_cents = o.amount_cents)`,
  },
  {
    rule: 'no order is charged twice',
    offenders: `select i.metadata ->> 'orderId' as order_id from sandbox.payment_intents i
      join sandbox.charges c on c.payment_intent_id = i.id
      where c.status = 'succeeded' and c.amount_refunded_cents = 0
      group by i.metadata ->> 'orderId' having count(*) > 1`,
  },
  {
    rule: 'an unfinished payment is cancelled at the provider with its order',
    offenders: `select i.id, i.status from sandbox.payment_intents i join payments p on p.intent_id = i.id
      join orders o on o.id = p.order_id
      where o.status <> 'unpaid' and i.status not in ('succeeded', 'canceled')`,
  },
  {
    rule: 'nothing is left locked',
    offenders: `select pid, state, query from pg_stat_activity where datname = current_database()
      and state like 'idle in transaction%' and state_change < now() - interval '2 seconds'`,
  },
]
