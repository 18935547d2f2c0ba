import type { Kysely } from 'kysely'
import { type ImportWarning, maxListedExamples } from '../../../../../contract/imports.ts'
import { toDollars } from '../../../../../contract/money.ts'
import type { PriceChange, ProductChanges } from '../../../../../contract/product-changes.ts'
import { toPlainDollars } from '../../../../../contract/typed-numbers.ts'
import type { Database } from '../../../../../db/schema.ts'
import { ShopError } from '../../../../platform/errors.ts'
import type { Selection } from '../../../imports/file-kind.ts'
import { findSelected } from '../../all-products/service.ts'
import { maxPriceFactor } from '../products/queries.ts'
import * as repository from './repository.ts'
import { changePrices, describeChange } from './rules.ts'

/** Products are selected once. Their present values are stored, so that the run leaves out what has changed since. */
export const productSelection: Selection = {
  async select(db, { selection, change }) {
    const toTitle = ({ length }: string[]) =>
      `${describeChange(change)}: ${length.toLocaleString('en-US')} ${length === 1 ? 'product' : 'products'}`
    if ('ids' in selection) {
      const ids = [...new Set(selection.ids)]
      return { ids, title: toTitle(ids) }
    }
    const deleted = 'deleted' in change && !change.deleted ? ('true' as const) : undefined
    const found = await findSelected(db, { ...selection.query, deleted })
    if (found.length !== selection.total) {
      throw new ShopError('SELECTION_CHANGED', { details: { total: found.length } })
    }
    const except = new Set(selection.except)
    const ids = found.filter((id) => !except.has(id))
    if (ids.length === 0) throw new ShopError('NOTHING_SELECTED')
    return { ids, title: toTitle(ids) }
  },

  async stage(tx, importId, ids, { change }) {
    const { products, warnings } = await stageChange(tx, importId, ids, change)
    await repository.analyzeRows(tx)
    return { unchanged: ids.length - products, warnings }
  },
}

async function stageChange(
  tx: Kysely<Database>,
  importId: string,
  ids: string[],
  change: ProductChanges['change'],
): Promise<{ products: number; warnings: ImportWarning[] }> {
  if ('price' in change) return stagePrices(tx, importId, ids, change.price)
  if ('deleted' in change) {
    return { products: await repository.stageDeletion(tx, importId, ids, change), warnings: [] }
  }
  const [column, value] = Object.entries(change)[0] as [repository.ChangedColumn, boolean | string]
  const stored = value === '' ? null : value
  return { products: await repository.stageColumn(tx, importId, ids, column, stored), warnings: [] }
}

const productsPerRead = 2000

async function stagePrices(tx: Kysely<Database>, importId: string, ids: string[], change: PriceChange) {
  const examples: ImportWarning['examples'] = []
  let [products, jumps, staged] = [0, 0, 0]
  for (let from = 0; from < ids.length; from += productsPerRead) {
    const read = await repository.listPrices(tx, ids.slice(from, from + productsPerRead))
    const rows: repository.PriceRow[] = []
    for (const product of read) {
      const changed = toRows(product, changePrices(product, change))
      if (changed.length === 0) continue
      products += 1
      rows.push(...changed)
      const [first] = changed
      const { before, after } = first ?? {}
      if (!before || !after || !isJump(before, after)) continue
      jumps += 1
      if (examples.length === maxListedExamples) continue
      examples.push({ row: products, name: product.name, before: toText(before), after: toText(after) })
    }
    if (rows.length > 0) await repository.stagePrices(tx, importId, staged + 1, rows)
    staged += rows.length
  }
  const warnings = jumps > 0 ? [{ code: 'PRICE_JUMP' as const, count: jumps, examples }] : []
  return { products, warnings }
}

const isJump = (before: number, after: number) =>
  after >= before * maxPriceFactor || after * maxPriceFactor <= before

const toText = (cents: number) => toPlainDollars(toDollars(cents))

type Priced = Awaited<ReturnType<typeof repository.listPrices>>[number]

/** The changed prices: of the product first, then of its variants. */
function toRows(product: Priced, changed: Pick<Priced, 'price_cents' | 'variants'>): repository.PriceRow[] {
  const own = { variant_id: null, before: product.price_cents, after: changed.price_cents }
  const variants = product.variants.map((variant, index) => ({
    variant_id: variant.id,
    before: variant.price_cents,
    after: changed.variants[index]?.price_cents ?? null,
  }))
  return [own, ...variants]
    .filter(({ before, after }) => before !== after)
    .map((row) => ({ product_id: product.id, ...row }))
}
