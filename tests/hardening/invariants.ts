import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { orphans } from './orphans.ts'

/** A rule for the stored data that holds whenever no request or job is in progress. */
interface Invariant {
  rule: string
  /** A query that returns the rows that break the rule, with the columns that identify them. */
  offenders: string
}

const orderRules: Invariant[] = [
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
    rule: 'an order has a timestamp for each of its steps',
    offenders: `select id, status from orders where (paid_at is not null) <> (status in ('paid', 'shipped', 'refunded'))
      or (shipped_at is not null) <> (status = 'shipped') or (cancelled_at is not null) <> (status = 'cancelled')`,
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
]

const stockRules: Invariant[] = [
  { rule: 'no stock is below zero', offenders: 'select id, stock from variants where stock < 0' },
  {
    rule: 'the stock of a product is the sum of its variants that are not removed',
    offenders: `select p.id, p.stock, sum(v.stock) as variants
      from products p left join variants v on v.product_id = p.id and v.removed_at is null
      group by p.id having p.stock <> coalesce(sum(v.stock), 0)`,
  },
  {
    rule: 'the stock of a variant is the sum of its ledger',
    offenders: `select v.id, v.stock, sum(m.quantity) as ledger
      from variants v left join stock_movements m on m.variant_id = v.id
      group by v.id having v.stock <> coalesce(sum(m.quantity), 0)`,
  },
  {
    rule: 'the stock of a variant plus the pieces in its orders is what was added',
    offenders: `select v.id, v.stock, sold.pieces as sold, put.pieces as put from variants v
      cross join lateral (select coalesce(sum(l.quantity - back.pieces), 0) as pieces from order_lines l
        join orders o on o.id = l.order_id
        cross join lateral (select coalesce(sum(restocked), 0) as pieces from refund_lines f
          join refunds r on r.id = f.refund_id
          where r.order_id = o.id and f.line_number = l.line_number) back
        where l.variant_id = v.id and l.product_id = v.product_id and o.status <> 'cancelled') sold
      cross join lateral (select coalesce(sum(m.quantity), 0) as pieces from stock_movements m
        where m.variant_id = v.id and m.kind in ('restock', 'count')) put
      where v.stock + sold.pieces <> put.pieces`,
  },
  {
    rule: 'an order reduced the stock of each variant once, and restored it once if it is cancelled',
    offenders: `select o.id, l.variant_id from orders o
      join (select order_id, variant_id, sum(quantity) as quantity from order_lines group by 1, 2) l on l.order_id = o.id
      left join stock_movements m on m.order_id = o.id and m.variant_id = l.variant_id
      group by o.id, l.variant_id, l.quantity
      having count(*) filter (where m.kind = 'sale') <> 1
        or sum(-m.quantity) filter (where m.kind = 'sale') <> l.quantity
        or count(*) filter (where m.kind = 'release') <> (o.status = 'cancelled')::int
        or sum(m.quantity) filter (where m.kind = 'release') <> l.quantity`,
  },
  {
    rule: 'a refund restored the stock of the pieces that it returns to it, once',
    offenders: `select refund_id, variant_id, f.pieces, m.quantity
      from (select f.refund_id, l.variant_id, sum(restocked) as pieces from refund_lines f
          join refunds r on r.id = f.refund_id
          join order_lines l on l.order_id = r.order_id and l.line_number = f.line_number
          group by 1, 2 having sum(restocked) > 0) f
        full join (select refund_id, variant_id, sum(quantity) as quantity from stock_movements
          where kind = 'return' group by 1, 2) m using (refund_id, variant_id)
      where f.pieces is distinct from m.quantity`,
  },
  {
    rule: 'every sale, release and return belongs to a line of its order',
    offenders: `select m.id, m.order_id from stock_movements m where m.order_id is not null and not exists (
      select from order_lines l where l.order_id = m.order_id and l.variant_id = m.variant_id)`,
  },
]

const importRules: Invariant[] = [
  {
    rule: 'an import moves the stock of a variant at most once',
    offenders: `select import_id, variant_id from stock_movements where import_id is not null
      group by import_id, variant_id having count(*) > 1`,
  },
  {
    rule: 'the movements of goods in are their lines, and those of a stocktake are at most its lines',
    offenders: `select i.id, i.mode, i.rows, i.changed, count(m.id) as movements
      from product_imports i left join stock_movements m on m.import_id = i.id
      where i.source = 'scan' group by i.id
      having i.state <> 'done' or count(m.id) <> i.changed or i.changed > i.rows
        or i.mode = 'deliveries' and i.changed <> i.rows
        or bool_or(m.kind <> case i.mode when 'deliveries' then 'restock' else 'count' end)`,
  },
  {
    rule: 'an import in batches that has ended has committed all of them, and one that is running has not failed',
    offenders: `select id, state, next_batch, batch_count from product_imports
      where state = 'done' and next_batch is distinct from batch_count
        or state = 'checked' and next_batch is not null`,
  },
  {
    rule: 'an import is undone at most once, and only after it was run',
    offenders: `select undone.id, undone.state, count(*) as undos from product_imports undo
      join product_imports undone on undone.id = undo.undo_of
      where undo.state in ('importing', 'done') group by undone.id
      having count(*) > 1 or undone.state not in ('done', 'failed')`,
  },
  {
    rule: 'the sitemap lists exactly the products that are for sale',
    offenders: `select id, deleted_at, hidden, is_listed from products left join sitemap_entries on product_id = id
      where is_listed is distinct from (deleted_at is null and not hidden)`,
  },
  {
    rule: 'every change by an import is recorded as one of an import that was run',
    offenders: `select c.id, i.id as import, i.state from product_changes c join product_imports i on i.id = c.import_id
      where i.run_at is null or i.state in ('reading', 'checking', 'checked')`,
  },
]

const variantRules: Invariant[] = [
  {
    rule: 'every product has 1 to 200 variants: with own options each has a size or colour, else the only one has none',
    offenders: `select p.id, options, count(v.id) as variants from products p
      left join variants v on v.product_id = p.id and v.removed_at is null
      where p.deleted_at is null group by p.id
      having count(v.id) not between 1 and case options when 'variants' then 200 else 1 end
        or options <> 'variants' and bool_or(v.id <> p.id or coalesce(v.size, v.colour, v.swatch, v.image) is not null)
        or options = 'variants' and bool_or(coalesce(v.size, v.colour) is null)`,
  },
  {
    rule: 'the variants of a product all have a size or none has, and likewise a colour',
    offenders: `select product_id, count(size) as sizes, count(colour) as colours, count(*) as variants from variants
      where removed_at is null group by product_id
      having count(size) not in (0, count(*)) or count(colour) not in (0, count(*))`,
  },
  {
    rule: 'a product with own options has a minimum order of 1, and no variant is between two values',
    offenders: `select p.id, v.id as variant from products p join variants v on v.product_id = p.id
      where options = 'variants' and minimum_quantity <> 1 or v.removed_at = 'infinity'`,
  },
  {
    rule: 'the price of a product is the lowest of its variants, and at least one variant has it from the product',
    offenders: `select p.id, p.price_cents from products p
      join variants v on v.product_id = p.id and v.removed_at is null where p.deleted_at is null
      group by p.id having min(v.price_cents) < p.price_cents or bool_and(v.price_cents is not null)`,
  },
]

const moneyRules: Invariant[] = [
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
]

const invoiceRules: Invariant[] = [
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
]

const returnRules: Invariant[] = [
  {
    rule: 'the returns of a line that are not rejected have at most its pieces',
    offenders: `select r.order_id, l.line_number, sum(l.pieces) as pieces, o.quantity from returns r
      join return_lines l on l.return_id = r.id
      join order_lines o on o.order_id = r.order_id and o.line_number = l.line_number
      where r.status <> 'rejected' group by r.order_id, l.line_number, o.quantity
      having sum(l.pieces) > o.quantity`,
  },
  {
    rule: 'a withdrawal from the same items is recorded once unless it was rejected, and each one is in the history',
    offenders: `select order_id from returns where is_withdrawal and status <> 'rejected' and order_id is not null
      group by order_id, note having count(*) > 1
      union all
      select r.order_id from returns r where order_id is not null and not exists (
        select from order_events e where e.order_id = r.order_id
          and e.kind = case when is_withdrawal then 'withdrawn' else 'return_requested' end)`,
  },
  {
    rule: 'a refund for a return is of its order',
    offenders: `select f.id from refunds f join returns r on r.id = f.return_id
      where f.order_id is distinct from r.order_id`,
  },
]

const catalogRules: Invariant[] = [
  {
    rule: 'facet_lexemes contains each word of a product for its kind and its brand',
    offenders: `select id, facet, value, lexeme from products,
      unnest(tsvector_to_array(document)) as lexeme,
      lateral (values ('kind', coalesce(kind, '')), ('brand', coalesce(brand, ''))) as own (facet, value)
      where not starts_with(lexeme, ':') and (facet, value, lexeme) not in (select * from facet_lexemes)`,
  },
]

const pictureRules: Invariant[] = [
  {
    rule: 'the pictures of a product after the first one have the positions from 2 without gaps',
    offenders: `select product_id, array_agg(position order by position) from product_pictures
      where position > 1 group by product_id having count(*) <> max(position) - 1`,
  },
  {
    rule: 'a live product of a finished download shows the copy, and the shop has it',
    offenders: `select url, p.id from picture_downloads d join products p on p.id = any(product_ids) and deleted_at is null
      where d.state = 'done' and (p.image = url
        or exists (select from variants v where v.product_id = p.id and removed_at is null and v.image = url)
        or exists (select from product_pictures o where o.product_id = p.id and o.image = url)
        or not exists (select from pictures where hash = substring(d.image from '^/pictures/uploaded/([0-9a-f]{32})')))`,
  },
]

const attributeRules: Invariant[] = [
  {
    rule: 'the attributes of a kind have different names, and only choices have choices',
    offenders: `select kind from kind_attributes, jsonb_array_elements(attributes) as definition
      group by kind having count(*) > count(distinct lower(definition ->> 'name'))
        or bool_or((definition ->> 'type' = 'choice') <> (definition ? 'choices'))`,
  },
  {
    rule: 'each attribute of a product is a number with at most three decimals, or a text',
    offenders: `select id, key, value from products, jsonb_each(attributes)
      where jsonb_typeof(value) not in ('number', 'string')
        or (jsonb_typeof(value) = 'number' and (value::numeric <> round(value::numeric, 3) or abs(value::numeric) >= 1000000))`,
  },
]

const gearRules: Invariant[] = [
  {
    rule: 'the certificate values of a product are those of its certificates, and the filter terms are the values',
    offenders: `select p.id, certificate_values, own from products p
      cross join lateral (select array(select distinct case
          when class = '' or standard like 'ECE %' or standard = 'EN 13634' then standard
          else standard || ' ' || class end
        from certificates where product_id = p.id) as own) c
      where not (certificate_values <@ own and own <@ certificate_values)
        or not (array(select 'certificate:' || value from unnest(own) as value) <@ tsvector_to_array(terms))`,
  },
  {
    rule: 'each row of a size chart has a range for each of its measures, or none',
    offenders: `select id, row ->> 'size' as size from size_charts, jsonb_array_elements(rows) as row
      where jsonb_array_length(row -> 'values') <> jsonb_array_length(columns)
        or exists (select from jsonb_array_elements(row -> 'values') as range
          where jsonb_typeof(range) = 'array' and (range ->> 0)::numeric > (range ->> 1)::numeric)`,
  },
]

const auditRules: Invariant[] = [
  {
    rule: 'a recorded change has a value, and only values that it changed',
    offenders: `select id, area, subject from changes where after = '{}'
      or exists (select from jsonb_each(after) as current where before -> key = value)`,
  },
]

const contentRules: Invariant[] = [
  {
    rule: 'a document has at most one draft, which is its newest version, and at most one scheduled version',
    offenders: `select document_id, count(*) from document_versions group by document_id
      having count(*) filter (where published_at is null) > 1
        or count(*) filter (where published_at > now()) > 1
        or max(number) <> coalesce(max(number) filter (where published_at is null), max(number))`,
  },
  {
    rule: 'no redirect has the path of a document, and none leads to another redirect',
    offenders: `select path from redirects
      join documents on path = case kind when 'page' then '/pages/' else '/blogs/' end || slug
      union all
      select redirects.path from redirects
      join redirects next on next.path = lower(regexp_replace(redirects.target, '/?([?#].*)?$', ''))`,
  },
]

const fitmentRules: Invariant[] = [
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
    // The answer is decided just before the order is placed, and bikes never change. The setup of a check has no actor.
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

const mailRules: Invariant[] = [
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

const settingRules: Invariant[] = [
  {
    rule: 'each version of a group of settings is one change in the audit',
    offenders: `select s.name, version, count(c.id) as changes
      from shop_settings s left join changes c on c.area = 'settings' and c.subject = s.name
      group by s.name, version having count(c.id) <> version`,
  },
  {
    rule: 'a colour of the brand is a colour',
    offenders: `select field, text from shop_settings s, jsonb_each_text(s.value) as saved (field, text)
      where name = 'brand' and field like 'accent%' and text !~ '^#[0-9a-f]{6}$'`,
  },
  {
    rule: 'a picture of the settings is in the shop',
    offenders: `select s.name, used.match[1] as hash
      from shop_settings s, regexp_matches(s.value::text, '/pictures/uploaded/([0-9a-f]{32})-', 'g') as used (match)
      where not exists (select from pictures where hash = used.match[1])`,
  },
  {
    rule: 'a text of an email has no line break in its subject',
    offenders: `select kind, texts->>'subject' as subject
      from shop_settings s, jsonb_each(s.value) as saved (kind, texts)
      where name = 'emails' and texts->>'subject' ~ '[[:cntrl:]]'`,
  },
]

const archiveRules: Invariant[] = [
  {
    rule: 'a past order has at most 500 lines, each with a name, a quantity and a price',
    offenders: `select number from past_orders where jsonb_array_length(lines) not between 1 and 500
      or exists (select from jsonb_array_elements(lines) as line
        where not (line ?& array['name', 'quantity', 'price_cents']) or (line ->> 'price_cents')::bigint < 0)`,
  },
]

const customerRules: Invariant[] = [
  {
    rule: 'a customer with saved addresses has one default and at most 20 of them',
    offenders: `select customer_id from addresses group by customer_id
      having count(*) filter (where is_default) <> 1 or count(*) > 20`,
  },
  {
    rule: 'a photo that a customer linked is stored, due to be fetched, or has a problem',
    offenders: `select customer_id, url from profile_photos
      where url ~ '^https?:' and hash is null and problem is null and due_at is null`,
  },
  {
    rule: 'a second step exists only for a confirmed two-step login, whose codes are numbered by 30 s',
    offenders: `select s.issuer, s.sid from two_step_sign_ins s
      left join two_step_logins l on l.customer_id = s.customer_id
      where l.confirmed_at is null
        or l.last_step not between 1 and extract(epoch from now()) / 30 + 2`,
  },
  {
    rule: 'a cart has at most 50 lines',
    offenders: 'select customer_id from cart_lines group by customer_id having count(*) > 50',
  },
  {
    rule: 'a shop with staff has an owner',
    offenders: `select count(*) from customers where role is not null
      having count(*) > 0 and count(*) filter (where is_owner) = 0`,
  },
  {
    // The migration of an earlier version marks an owner who was recorded as an admin.
    rule: 'the latest change of a role is the role',
    offenders: `select customers.id, customers.role, is_owner, latest.role as recorded from customers
      left join lateral (
        select role from role_changes where customer_id = customers.id order by id desc limit 1
      ) as latest on true
      where customers.role is distinct from case latest.role when 'owner' then 'admin' else latest.role end
        or latest.role = 'owner' and not is_owner or is_owner and latest.role not in ('owner', 'admin')`,
  },
  {
    rule: 'an accepted invitation has changed the role on behalf of its inviter',
    offenders: `select id from invitations where accepted_by is not null and not exists (
        select from role_changes
        where customer_id = accepted_by and role = invitations.role and changed_by = invited_by
      )`,
  },
]

/** All rules. Checks run them at their end, and on each database restored from a backup. */
export const invariants: readonly Invariant[] = [
  ...orderRules,
  ...stockRules,
  ...importRules,
  ...variantRules,
  ...moneyRules,
  ...invoiceRules,
  ...returnRules,
  ...catalogRules,
  ...pictureRules,
  ...attributeRules,
  ...gearRules,
  ...auditRules,
  ...contentRules,
  ...fitmentRules,
  ...archiveRules,
  ...customerRules,
  ...mailRules,
  ...settingRules,
]

/** Checks all rules and foreign keys of an idle database. Returns one message per broken rule. */
export async function brokenRules(db: Kysely<Database>): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    // The role of the shop limits statements, and some checks have a million products.
    await sql`set local statement_timeout = 0`.execute(tx)
    const broken: string[] = []
    for (const { rule, offenders } of [...invariants, ...(await orphans(tx))]) {
      const { rows } = await sql.raw(offenders).execute(tx)
      if (rows.length > 0)
        broken.push(`broken rule: ${rule} (${rows.length}, the first is ${JSON.stringify(rows[0])})`)
    }
    return broken
  })
}
