import { formatDollars, multiplyPrice } from './money.ts'

/** Whether a product can be bought: the stock is at least its minimum order. */
export const isAvailable = (stock: number, minimum: number): boolean => stock >= minimum

/**
 * Returns the price of the minimum order in dollars. Structured data and the feed use it, because customers cannot pay
 * less; the price of one piece is given as well.
 */
export const minimumOrderPrice = (price: number, minimum: number): number => multiplyPrice(price, minimum)

/** Returns the price in dollars as text, with `From` if it depends on the variant. */
export const formatPrice = ({ price, from }: { price: number; from?: boolean | undefined }): string =>
  from ? `From ${formatDollars(price)}` : formatDollars(price)

const maxSlugLength = 80

/**
 * Returns the product's name for its URL: lower-case letters and digits, separated by dashes. Accents are
 * removed; the marks of other scripts, such as kana, are not, because they change the word.
 */
export function toSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return Array.from(words).slice(0, maxSlugLength).join('').replaceAll(/^-|-$/g, '') || 'part'
}

/** Returns the path of the page with all bikes that a product fits. */
export const fitmentPath = (product: { _id: string; name: string }): string =>
  `${productPath(product)}/fitment`

/** Returns the path of the public product page. */
export const productPath = ({ _id, name }: { _id: string; name: string }): string =>
  `/product/${_id}/${encodeURIComponent(toSlug(name))}`
