import type { Invariant } from './invariant.ts'

export const stockRules: Invariant[] = [
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
    // Sums of whole tables: a check may have thousands of orders and variants.
    offenders: `select v.id, v.stock, sold.pieces as sold, put.pieces as put from variants v
      left join (select variant_id, product_id, sum(quantity - coalesce(back.pieces, 0)) as pieces from order_lines l
        join orders o on o.id = l.order_id
        left join (select order_id, line_number, sum(restocked) as pieces from refund_lines f
          join refunds r on r.id = f.refund_id group by 1, 2) back using (order_id, line_number)
        where o.status <> 'cancelled' group by 1, 2) sold on sold.variant_id = v.id and sold.product_id = v.product_id
      left join (select variant_id, sum(quantity) as pieces from stock_movements
        where kind in ('restock', 'count') group by 1) put on put.variant_id = v.id
      where v.stock + coalesce(sold.pieces, 0) <> coalesce(put.pieces, 0)`,
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
    rule: 'every change by an import is recorded as one of an import that was run',
    offenders: `select c.id, i.id as import, i.state from product_changes c join product_imports i on i.id = c.import_id
      where i.run_at is null or i.state in ('reading', 'checking', 'checked')`,
  },
]
