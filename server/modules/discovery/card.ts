import { formatDollars, toDollars } from '../../../contract/money.ts'
import { smallestOrderPrice } from '../../../contract/smallest-order.ts'
import { drawableWords, linesOf, outline, type Weight, widthOf } from './lettering.ts'
import type { PicturedProduct } from './pictures.ts'

export const cardSize = { width: 1200, height: 630 } as const

/** The colours of `web/app.css`. */
const colours = { ink: '#15171b', paper: '#f7f6f3', surface: '#ffffff', line: '#dedbd3', quiet: '#5b616b' }
const signal = { deep: '#b93a0a', bright: '#ff6a1a' }
const left = 64
const textWidth = 520
/** From the largest on, until a name fits without breaking a word; so many lines of each have room. */
const nameSizes = [
  { size: 76, most: 3 },
  { size: 64, most: 3 },
  { size: 54, most: 4 },
  { size: 46, most: 5 },
] as const

/**
 * The picture that stands for a product where its address is shared: drawing, brand, name and price in the shop's look.
 *
 * @param picture what is shown of the product: SVG that fills a frame of 4:3; null where the shop has no picture of its own
 * @returns SVG without any text in it, only outlines
 */
export function drawCard(product: PicturedProduct, shopName: string, picture: Frame | null): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="${colours.paper}"/>
<rect x="640" width="560" height="630" fill="${colours.surface}"/><path d="M640 0V630" stroke="${colours.line}" stroke-width="2"/>
${picture ? picture({ x: 660, y: 120, width: 520, height: 390 }) : nut(800, 190, 240, colours.line, colours.surface, colours.line)}
${nut(left, 48, 52, signal.bright, colours.ink, colours.paper)}
${text(shopName.toUpperCase(), 700, 34, left + 68, 86, colours.ink)}
${words(product)}
${price(product)}
<path d="M0 618H1200V630H0Z" fill="${signal.bright}"/></svg>`
}

/** The picture that stands for the shop itself, where one of its other pages is shared: name and motorcycle. */
export function drawShopCard(shopName: string, motorcycle: Frame): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="${colours.ink}"/>
${nut(left, 64, 88, signal.bright, colours.ink, colours.paper)}
${text(shopName.toUpperCase(), 700, 128, left, 290, colours.paper)}
${text('Motorcycle parts and gear', 600, 52, left, 362, signal.bright)}
${motorcycle({ x: 520, y: 237, width: 680, height: 393 })}</svg>`
}

/** Draws a picture into a box, in SVG. */
export type Frame = (box: { x: number; y: number; width: number; height: number }) => string

function words(product: PicturedProduct): string {
  const { brand } = product
  const name = titleOf(product)
  // A name that begins with its brand does not need it twice.
  const label = brand && !name.startsWith(brand) ? brand : ''
  const { size, most } = nameSizes.find((each) => fitsIn(name, each)) ?? nameSizes[3]
  const lines = linesOf(name, 700, size, textWidth, most)
  const top = label ? 216 : 176
  return [
    text(label.toUpperCase(), 600, 32, left, 168, colours.quiet),
    ...lines.map((line, index) =>
      text(line, 700, size, left, top + size * (0.8 + index * 1.02), colours.ink),
    ),
  ].join('\n')
}

/** The name as far as there are letters to draw it with; what kind of part it is where there are none. */
function titleOf({ name, kind, sku }: PicturedProduct): string {
  const title = drawableWords(name, 700)
  return /[\p{L}\p{N}]/u.test(title) ? title : [kind, sku].filter(Boolean).join(' ')
}

/** What a piece costs; and where one alone is not sold, how many the smallest order has, for what the page asks first. */
function price({ price_cents, minimum_quantity: minimum }: PicturedProduct): string {
  const dollars = toDollars(price_cents)
  const least = `each · ${formatDollars(smallestOrderPrice(dollars, minimum))} for ${minimum.toLocaleString('en-US')}`
  return [
    text(formatDollars(dollars), 700, 92, left, 556, signal.deep),
    minimum > 1 ? text(least, 600, 32, left, 600, colours.quiet) : '',
  ].join('\n')
}

const fitsIn = (name: string, { size, most }: (typeof nameSizes)[number]): boolean =>
  linesOf(name, 700, size, textWidth, most).every((line) => !line.endsWith('…')) &&
  name.split(/\s+/).every((word) => widthOf(word, 700, size) <= textWidth)

function text(
  content: string,
  weight: Weight,
  size: number,
  x: number,
  baseline: number,
  fill: string,
): string {
  const path = outline(content, weight, size, x, baseline)
  return path && `<path d="${path}" fill="${fill}"/>`
}

/** The shop's mark. */
const nut = (x: number, y: number, size: number, fill: string, hole: string, letter: string): string =>
  `<g transform="translate(${x} ${y}) scale(${size / 64})"><path d="M32 3 57.1 17.5v29L32 61 6.9 46.5v-29Z" fill="${fill}" stroke="${fill}" stroke-width="4" stroke-linejoin="round"/><circle cx="32" cy="32" r="20" fill="${hole}"/><path d="M20 22h24v7.5h-8.2V45h-7.6V29.5H20Z" fill="${letter}"/></g>`
