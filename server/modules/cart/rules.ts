import type { CartLine, LineProblem, QuoteLine } from '../../../contract/cart.ts'
import { toStandardChoice } from '../../../contract/choice.ts'
import type { Choice } from '../../../contract/choice-urls.ts'
import type { FitKind } from '../../../contract/fit-answer.ts'
import { maxQuantity } from '../../../contract/limits.ts'
import { toCents, toDollars } from '../../../contract/money.ts'
import type { Quote } from '../../../contract/quote.ts'
import { presentCharge, priceOrder, type Terms } from '../pricing/rules.ts'

/** A variant as it is now, with the values of its product. */
interface Offer {
  id: string
  product_id: string
  name: string
  image: string
  options: 'none' | 'standard' | 'variants'
  size: string | null
  colour: string | null
  price_cents: number
  stock: number
  minimum_quantity: number
  is_sold: boolean
  fit_kind: FitKind
  kind: string | null
  return_note: string | null
  has_fitments: boolean
}

/** Merges lines whose product no longer has standard options. */
export function mergePlainLines(lines: CartLine[], offers: Offer[]): CartLine[] {
  const merged: CartLine[] = []
  for (const line of lines) {
    const isPlain = offers.find(({ id }) => id === line.variantId)?.options === 'none'
    const same = isPlain && merged.find(({ variantId }) => variantId === line.variantId)
    if (same) same.quantity = Math.min(same.quantity + line.quantity, maxQuantity)
    else merged.push({ ...line })
  }
  return merged
}

/**
 * Quotes lines at their present prices, in their order. Several lines of one variant share its stock and its minimum order.
 *
 * @param offers the variants of the lines; one that does not exist is missing
 */
export function quoteLines(
  lines: CartLine[],
  offers: Offer[],
  terms: Terms,
): Pick<Quote, 'lines' | 'charges' | 'total'> {
  const byId = new Map(offers.map((offer) => [offer.id, offer]))
  const ordered = new Map<string, number>()
  for (const { variantId, quantity } of lines)
    ordered.set(variantId, (ordered.get(variantId) ?? 0) + quantity)
  const taken = new Map<string, number>()
  const priced = priceOrder({
    terms,
    lines: lines.map((line) => {
      const offer = byId.get(line.variantId)
      return { line, offer, quantity: line.quantity, unitPriceCents: toUnitPrice(line, offer) }
    }),
  })
  const quoted = priced.lines.map(({ line, offer, quantity, unitPriceCents, goodsCents }): QuoteLine => {
    const { variantId } = line
    const left = Math.max(0, countPieces(offer) - (taken.get(variantId) ?? 0))
    taken.set(variantId, (taken.get(variantId) ?? 0) + quantity)
    return {
      variantId,
      productId: offer?.product_id ?? '',
      name: offer?.name ?? '',
      image: offer?.image ?? '',
      ...toShownChoice(line, offer),
      quantity,
      unitPrice: toDollars(unitPriceCents),
      total: toDollars(goodsCents),
      left,
      minimum: offer?.minimum_quantity ?? 1,
      kind: offer?.kind ?? undefined,
      // With the name, because the cart lists the notes of all lines together.
      returns: offer?.return_note ? `${offer.name}: ${offer.return_note}` : undefined,
      fitKind: toFitKind(offer),
      problem: findProblem(line, offer, left, ordered.get(variantId) ?? 0),
    }
  })
  return {
    lines: quoted,
    charges: priced.charges.map(presentCharge),
    total: toDollars(priced.totalCents),
  }
}

/** Returns the present price in cents. A line that cannot be ordered has none. */
export const toUnitPrice = (line: CartLine, offer: Offer | undefined): number =>
  offer?.is_sold && !hasOtherChoice(line, offer) ? offer.price_cents : 0

/** The pieces that can be ordered. A stock below the minimum order cannot. */
const countPieces = (offer: Offer | undefined) =>
  offer?.is_sold && offer.stock >= offer.minimum_quantity ? offer.stock : 0

/** @param ordered pieces in all lines with the variant */
function findProblem(
  line: CartLine,
  offer: Offer | undefined,
  left: number,
  ordered: number,
): LineProblem | undefined {
  const { quantity, unitPrice } = line
  if (!offer?.is_sold || hasOtherChoice(line, offer)) return { code: 'VARIANT_NOT_FOUND' }
  if (lacksChoice(line, offer)) return { code: 'CHOICE_REQUIRED' }
  if (quantity > left) return { code: 'OUT_OF_STOCK', left }
  const minimum = offer.minimum_quantity
  if (ordered < minimum) return { code: 'QUANTITY_NOT_MATCHED', minimum }
  const isSamePrice = unitPrice === undefined || toCents(unitPrice) === offer.price_cents
  return isSamePrice ? undefined : { code: 'PRICE_CHANGED', was: unitPrice }
}

/**
 * Returns the standard options that a line has chosen. Options of other products are ignored, like unknown values.
 */
export function chosenOptions(choice: Choice, offer: Pick<Offer, 'options'> | undefined) {
  return offer?.options === 'standard' ? toStandardChoice(choice) : {}
}

/** Whether a line has no size or no colour of a product with standard options. It cannot be shipped like that. */
export function lacksChoice(choice: Choice, offer: Pick<Offer, 'options'>): boolean {
  const { size, colour } = toStandardChoice(choice)
  return offer.options === 'standard' && (size === undefined || colour === undefined)
}

/** Returns the size and colour that the buyer reads: the values of the variant, or else the choice of the line. */
function toShownChoice(line: CartLine, offer: Offer | undefined): Choice {
  if (offer && hasOtherChoice(line, offer)) return { size: line.size, colour: line.colour }
  const { size, colour } = chosenOptions(line, offer)
  return { size: offer?.size ?? size, colour: offer?.colour ?? colour }
}

/** Whether a line was chosen among standard options, and its product has sizes and colours of its own by now. */
function hasOtherChoice(line: CartLine, offer: Offer): boolean {
  const { size, colour } = toStandardChoice(line)
  if (offer.options !== 'variants' || size === undefined || colour === undefined) return false
  return size !== offer.size || colour !== offer.colour
}

/** A product without a kind and fitments has the default `vehicle`: its buyer is not asked for a bike. */
function toFitKind(offer: Offer | undefined): FitKind {
  if (!offer || (offer.kind === null && !offer.has_fitments && offer.fit_kind === 'vehicle')) return 'gear'
  return offer.fit_kind
}
