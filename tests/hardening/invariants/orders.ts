import type { Invariant } from './invariant.ts'

export const orderRules: Invariant[] = [
  {
    rule: 'the amount of an order is the sum of its lines and charges; pieces and number of lines are theirs',
    offenders: `select o.id, o.amount_cents, sum(l.unit_price_cents::bigint * l.quantity) as lines
      from orders o left join order_lines l on l.order_id = o.id
      group by o.id having sum(l.unit_price_cents::bigint * l.quantity) + coalesce((
          select sum(amount_cents) from order_charges c where c.order_id = o.id and not is_included
        ), 0) is distinct from o.amount_cents
        or sum(l.quantity) <> o.pieces or count(*) <> o.line_count or max(l.line_number) <> o.line_count`,
  },
  {
    rule: 'lines and shipping of an order with charges add up to its amount and its tax, and none is negative',
    offenders: `select o.id, o.amount_cents, c.tax, sum(l.total_cents) as lines, sum(l.tax_cents) as taxes
      from orders o join order_lines l on l.order_id = o.id
      join lateral (select sum(amount_cents) filter (where kind = 'tax') as tax,
          sum(amount_cents) filter (where kind = 'shipping') as shipping
        from order_charges where order_id = o.id having count(*) > 0) c on true
      group by o.id, c.tax, c.shipping
      having bool_or(l.total_cents is null or l.total_cents < l.tax_cents or l.tax_cents < 0)
        or o.amount_cents < sum(l.total_cents) or coalesce(c.tax, 0) < sum(l.tax_cents)
        or c.shipping is null and (o.amount_cents, coalesce(c.tax, 0)) <> (sum(l.total_cents), sum(l.tax_cents))`,
  },
  {
    rule: 'an order has a last day to pay only if an admin placed it by phone, and its history names that admin',
    offenders: `select o.id, pay_by, placed_by from orders o
      where (pay_by is null) <> (placed_by is null) or placed_by is not null and not exists (
        select from order_events e where e.order_id = o.id and kind = 'placed' and actor_id = placed_by)`,
  },
  {
    rule: 'the uses of a coupon are its orders that are not cancelled, and not more than its limit',
    offenders: `select c.id, used, max_uses, count(o.id) as orders
      from coupons c left join orders o on o.coupon_id = c.id and o.status not in ('cancelled', 'refunded')
      group by c.id having used <> count(o.id) or used > max_uses`,
  },
  {
    rule: 'the history of an order has each step once, and only steps that have happened',
    offenders: `select o.id, o.status from orders o left join order_events e on e.order_id = o.id group by o.id
      having count(*) filter (where kind = 'placed') <> 1
        or count(*) filter (where kind = 'paid') <> (o.status in ('paid', 'shipped', 'refunded'))::int
        or count(*) filter (where kind = 'items_cancelled') <> (select count(*) from refunds r
          where r.order_id = o.id and r.kind = 'cancellation')
        or count(*) filter (where kind = 'unshipped') = 0
          and (count(*) filter (where kind = 'shipped') <> (o.status = 'shipped')::int
            or count(*) filter (where kind = 'part_shipped') <> (select count(*) from shipments s
              where s.order_id = o.id and s.is_partial))
        or count(*) filter (where kind in ('shipped', 'part_shipped'))
          < count(*) filter (where kind = 'unshipped') + (select count(*) from shipments s where s.order_id = o.id)
        or count(*) filter (where kind in ('cancelled', 'expired')) <> (o.status = 'cancelled')::int`,
  },
  {
    rule: 'the order of a guest has a customer if that customer has claimed it, once',
    offenders: `select o.id, customer_id from orders o
      join order_events placed on placed.order_id = o.id and placed.kind = 'placed' and placed.by_guest
      left join order_events claimed on claimed.order_id = o.id and claimed.kind = 'claimed'
      group by o.id having count(claimed.id) > 1 or customer_id is distinct from min(claimed.actor_id)`,
  },
  {
    // Earlier versions stored no time when a paid order was cancelled.
    rule: 'an order has a timestamp for each of its steps',
    offenders: `select id, status from orders where (paid_at is not null) <> (status in ('paid', 'shipped', 'refunded'))
      or (shipped_at is not null) <> (status = 'shipped') or cancelled_at is null and status = 'cancelled'
      or cancelled_at is not null and status not in ('cancelled', 'refunded')`,
  },
  {
    rule: 'an order is refunded if all of its pieces are cancelled, and otherwise not',
    offenders: `select o.id, o.status, cancelled, o.pieces from orders o
      cross join lateral (select coalesce(sum(l.pieces), 0) as cancelled from refunds r
        join refund_lines l on l.refund_id = r.id where r.order_id = o.id and r.kind = 'cancellation') c
      where (o.status = 'refunded') <> (cancelled = o.pieces)`,
  },
  {
    // Earlier versions shipped orders as a whole, without a shipment.
    rule: 'an order is paid while a line has open pieces, and shipped if a line was shipped and none has any',
    offenders: `select o.id, o.status, open, shipped, shipments from orders o
      cross join lateral (select count(*) as shipments from shipments s where s.order_id = o.id) s
      cross join lateral (select count(*) filter (where l.shipment_id is null and quantity > cancelled) as open,
          count(l.shipment_id) as shipped
        from order_lines l
        cross join lateral (select coalesce(sum(f.pieces), 0) as cancelled from refunds r
          join refund_lines f on f.refund_id = r.id
          where r.order_id = o.id and r.kind = 'cancellation' and f.line_number = l.line_number) c
        where l.order_id = o.id) l
      where o.status = 'paid' and open = 0 or o.status = 'shipped' and shipments > 0 and (open > 0 or shipped = 0)
        or o.status not in ('paid', 'shipped') and shipments > 0`,
  },
  {
    rule: 'a shipment has lines of its order, and at most one of an order left no open pieces',
    offenders: `select s.id, s.order_id from shipments s
      left join order_lines l on l.shipment_id = s.id
      group by s.id having count(l.order_id) = 0 or bool_or(l.order_id <> s.order_id)
      union all
      select min(id), order_id from shipments where not is_partial group by order_id having count(*) > 1`,
  },
  {
    rule: 'a shipped line has pieces, and none of it was cancelled afterwards',
    offenders: `select l.order_id, l.line_number, l.quantity, c.pieces from order_lines l
      join shipments s on s.id = l.shipment_id
      cross join lateral (select coalesce(sum(f.pieces), 0) as pieces, max(r.created_at) as last from refunds r
        join refund_lines f on f.refund_id = r.id
        where r.order_id = l.order_id and r.kind = 'cancellation' and f.line_number = l.line_number
          and f.pieces > 0) c
      where c.pieces >= l.quantity or c.last > s.shipped_at`,
  },
  {
    rule: 'each order has one search document, which is that of its rows, unless an earlier version placed it',
    offenders: `select o.id, o.is_indexed, d.document from orders o left join order_documents d on d.order_id = o.id
      where o.is_indexed <> (d.order_id is not null) or d.document <> build_order_document(o.id)
        or d.order_id is not null and d.placed_at is distinct from o.placed_at`,
  },
  {
    rule: 'one Idempotency-Key of one customer places one order',
    offenders: `select customer_id, idempotency_key from orders where idempotency_key is not null
      group by customer_id, idempotency_key having count(*) > 1`,
  },
  {
    rule: 'a past order has at most 500 lines, each with a name, a quantity and a price',
    offenders: `select number from past_orders where jsonb_array_length(lines) not between 1 and 500
      or exists (select from jsonb_array_elements(lines) as line
        where not (line ?& array['name', 'quantity', 'price_cents']) or (line ->> 'price_cents')::bigint < 0)`,
  },
  {
    rule: 'no queued payment link is for an order that was not placed by phone',
    offenders: `select m.id, subject from mail_outbox m left join orders o on o.id = m.subject
      where kind = 'payment-link' and o.placed_by is null`,
  },
  {
    rule: 'no queued shipping email names a shipment that does not exist',
    offenders: `select id, subject from mail_outbox m where kind in ('shipment-sent', 'tracking-added')
      and not exists (select from shipments s where s.id = m.subject)`,
  },
]
