import type { Receipt } from '../../../../contract/receipts.ts'
import { ShopError } from '../../../platform/errors.ts'
import { maxInteger } from '../rules.ts'
import type { ReceivedVariant } from './queries.ts'

/**
 * The pieces that each line adds to the stock.
 *
 * @throws INVALID_REQUEST if a variant is named twice, a delivery has no pieces, or a count has no expected pieces
 */
export function toDifferences({ kind, lines }: Receipt): { id: string; difference: number }[] {
  const fields: Record<string, string> = {}
  const seen = new Set<string>()
  const differences = lines.map(({ variantId: id, quantity, expected }, index) => {
    if (seen.has(id)) fields[`lines.${index}.variantId`] = 'This item is in the list twice'
    seen.add(id)
    if (kind === 'delivery') {
      if (quantity === 0) fields[`lines.${index}.quantity`] = 'At least 1'
      return { id, difference: quantity }
    }
    if (expected === undefined) fields[`lines.${index}.expected`] = 'The expected quantity is required'
    return { id, difference: quantity - (expected ?? 0) }
  })
  if (Object.keys(fields).length > 0) throw new ShopError('INVALID_REQUEST', { fields })
  return differences
}

/** @throws VARIANT_NOT_FOUND, STOCK_BELOW_ZERO with their lines, INVALID_REQUEST if a product would have too many pieces */
export function refuseDifferences(
  differences: { id: string; difference: number }[],
  variants: Map<string, ReceivedVariant>,
): void {
  const toLines = (found: typeof differences) => ({
    details: { lines: found.map(({ id }) => ({ variantId: id, stock: variants.get(id)?.stock })) },
  })
  const unknown = differences.filter(({ id }) => !variants.has(id))
  if (unknown.length > 0) throw new ShopError('VARIANT_NOT_FOUND', toLines(unknown))
  const below = differences.filter(({ id, difference }) => (variants.get(id)?.stock ?? 0) + difference < 0)
  if (below.length > 0) throw new ShopError('STOCK_BELOW_ZERO', toLines(below))
  const totals = new Map<string, number>()
  differences.forEach(({ id, difference }, index) => {
    const variant = variants.get(id)
    if (!variant) return
    const total = (totals.get(variant.product_id) ?? variant.product_stock) + difference
    totals.set(variant.product_id, total)
    if (total > maxInteger) {
      const fields = { [`lines.${index}.quantity`]: 'The stock would be too large' }
      throw new ShopError('INVALID_REQUEST', { fields })
    }
  })
}
