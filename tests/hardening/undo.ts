import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ProductImport } from '../../contract/imports.ts'
import { aCustomer, anAdmin, readProductEtag, type TestCustomer } from '../factories.ts'
import { checkFile, checkUndo, productHeader, productRow, runImport } from '../product-import.ts'
import type { Check, Size } from './check.ts'
import { inLanes } from './parallel.ts'
import { randomFor, shuffled } from './random.ts'
import { openShopUnderTest, type ShopUnderTest } from './shop-under-test.ts'

interface Volume {
  products: number
  sales: number
  edits: number
}
const sizes: Record<Size, Volume> = {
  small: { products: 700, sales: 120, edits: 15 },
  full: { products: 5_000, sales: 1_000, edits: 100 },
}
const connections = 6
const [oldPrice, newPrice, editedPrice] = [40, 50, 60]
const [stock, counted] = [100, 130]
/** The part of the sales that is before the undo; the others run meanwhile. */
const soldBefore = 0.5

/**
 * An import changes prices and stock. Then buyers order, and another admin changes some prices, before and while the import
 * is undone, and while the undo is undone.
 */
export const undo: Check = {
  name: 'undo',
  isChosenOnly: true,
  async run(size, print, seed) {
    const { products, sales, edits } = sizes[size]
    const shop = await openShopUnderTest({ processes: 2 })
    const [first, second = first] = shop.processes
    const [admin, other] = [await anAdmin(shop), await anAdmin(shop)]
    const random = randomFor(seed, 0)
    const rows = Array.from({ length: products }, (_, index) =>
      productRow(`P-${index}`, { price: oldPrice, quantity: String(stock) }),
    )
    const importFile = async (lines: string[]) =>
      runImport(first, admin, await checkFile(first, admin, lines.join('\n')))
    await importFile([productHeader, ...rows])
    const ids = (await shop.db.selectFrom('products').select('id').execute()).map(({ id }) => id)
    const imported = await importFile([
      'id,price,supplier,quantity',
      ...ids.map((id) => `${id},${newPrice},New,${counted}`),
    ])
    print(`imported ${imported.changed}`)

    const edited = new Set(shuffled([...ids], random).slice(0, edits))
    const sold = new Map<string, number>()
    const buyer = await aCustomer(shop)
    const faults = new Set<string>()
    const sell = (from: number, to: number) =>
      inLanes(Array(to - from).keys(), connections, async (number) => {
        const id = randomFor(seed, from + number + 1).pick(ids)
        if (await order(shop, buyer, id, faults)) sold.set(id, (sold.get(id) ?? 0) + 1)
      })
    const early = Math.round(sales * soldBefore)
    await sell(0, early)
    await inLanes(edited, 2, (id) => edit(shop, other, id))

    const expected = (isImported: boolean, id: string) => ({
      cents: (edited.has(id) ? editedPrice : isImported ? newPrice : oldPrice) * 100,
      supplier: isImported ? 'New' : null,
      stock: (isImported ? counted : stock) - (sold.get(id) ?? 0),
    })
    const violations: string[] = []
    const compare = async (when: string, isImported: boolean) => {
      const found = await sql<{ id: string; cents: number; supplier: string | null; stock: number }>`
        select id, price_cents as cents, supplier, stock from products`.execute(shop.db)
      const wrong = found.rows.filter(
        ({ id, ...values }) => JSON.stringify(values) !== JSON.stringify(expected(isImported, id)),
      )
      if (wrong.length > 0) {
        const [{ id, ...values } = { id: '' }] = wrong
        violations.push(
          `${when} ${wrong.length} products are wrong: ${JSON.stringify(values)} instead of ${JSON.stringify(expected(isImported, id))}`,
        )
      }
    }
    const undoImport = async (undone: ProductImport, from: number, to: number) => {
      const preview = await checkUndo(second, admin, undone)
      const [done] = await Promise.all([runImport(second, admin, preview), sell(from, to)])
      if (done.state !== 'done') violations.push(`an undo ended as ${done.state}: ${done.failure}`)
      return done
    }
    const middle = Math.round((early + sales) / 2)
    const undone = await undoImport(imported, early, middle)
    await compare('after the undo', false)
    if (undone.skippedCount !== edited.size)
      violations.push(`the undo left out ${undone.skippedCount} of ${edited.size} edited products`)
    print(`undone: ${undone.changed}, left out ${undone.skippedCount}`)
    const again = await undoImport(undone, middle, sales)
    await compare('after the undo of the undo', true)
    violations.push(...(await findDoubleUndos(shop, admin, [imported, undone])), ...faults)
    return {
      figures: [
        { what: 'products, sales, edits by another admin', measured: `${products}, ${sales}, ${edits}` },
        {
          what: 'products restored, left out in part',
          measured: `${undone.changed}, ${undone.skippedCount}`,
        },
        { what: 'products of the second undo', measured: `${again.changed}` },
      ],
      violations,
    }
  },
}

/** Orders one piece, again while the price or the shop is not ready. Returns whether it was placed. */
async function order(
  shop: ShopUnderTest,
  buyer: TestCustomer,
  productId: string,
  faults: Set<string>,
): Promise<boolean> {
  for (let attempts = 0; attempts < 50; attempts++) {
    for (const amount of [newPrice, oldPrice, editedPrice]) {
      const [first, second] = shop.processes
      const process = attempts % 2 === 0 ? first : (second ?? first)
      const { status, body } = await process.call('confirmPurchase', {
        as: buyer,
        body: { productId, quantity: 1, amount, customerAddress: '1 Road' },
      })
      if (status === 200) return true
      const code = 'code' in body ? body.code : undefined
      if (code !== 'PRICE_CHANGED' && code !== 'UNAVAILABLE') {
        faults.add(`an order was rejected: ${status} ${String(code)}`)
        return false
      }
    }
    await delay(20)
  }
  faults.add('an order was refused again and again')
  return false
}

async function edit(shop: ShopUnderTest, admin: TestCustomer, id: string): Promise<void> {
  const [process] = shop.processes
  const { body } = await process.call('getEditableProduct', { as: admin, params: { id } })
  const { certificates: _, ...product } = body
  const { status } = await process.call('editProduct', {
    as: admin,
    params: { id },
    headers: { 'if-match': await readProductEtag(process, admin, id) },
    body: { ...product, price: editedPrice },
  })
  if (status !== 200) throw new Error(`an edit was refused with ${status}`)
}

async function findDoubleUndos(
  { processes: [process] }: ShopUnderTest,
  admin: TestCustomer,
  undone: ProductImport[],
): Promise<string[]> {
  const responses = await Promise.all(
    undone.map(({ id }) => process.call('undoImport', { as: admin, params: { id } })),
  )
  return responses.filter(({ status }) => status === 200).map(() => 'an import was undone twice')
}
