import type { Expectation } from './rider-queries.ts'

export interface ListedProduct {
  _id: string
  name: string
  kind: string
}

/** Visible content of `<main>`: its top, or all of it. */
interface View {
  products: ListedProduct[]
  /** Paths of the links outside the cards. */
  paths: string[]
  /** Sentences outside the cards. */
  sentences: string[]
}

export interface ResultPage {
  /** The first three cards, and everything above the first card. */
  top: View
  whole: View
}

/**
 * Reads the document of a product list, as a browser without scripts shows it.
 *
 * @param products of the shop, by id
 */
export function readResultPage(html: string, q: string, products: Map<string, ListedProduct>): ResultPage {
  const main = /<main\b.*?<\/main>/s.exec(html)?.[0]
  if (main === undefined) throw new Error('the page has no <main>')
  const cards = main.match(/<article\b.*?<\/article>/gs)?.filter((card) => cardLink.test(card)) ?? []
  const listed = cards.flatMap((card) => products.get(cardLink.exec(card)?.[1] ?? '') ?? [])
  const [first] = cards
  const above = first === undefined ? main : main.slice(0, main.indexOf(first))
  const outside = cards.reduce((text, card) => text.replace(card, ''), main)
  return {
    top: { products: listed.slice(0, 3), ...readOutside(above, q) },
    whole: { products: listed, ...readOutside(outside, q) },
  }
}

const cardLink = /href="\/product\/([0-9a-f]{24})\//

const readOutside = (html: string, q: string) => ({
  paths: [...html.matchAll(/<a\b[^>]*?\shref="([^"?#]*)/g)].map(([, path = '']) => path),
  sentences: listSentences(html, q),
})

function listSentences(html: string, q: string): string[] {
  const text = html
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<\/(?:p|li|h\d|div|section|form|label|dd|dt)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(#x27|quot|lt|gt|amp);/g, (_, name: keyof typeof entities) => entities[name])
  // Repeating the whole search text does not name the unknown word.
  const repeated = isOneWord(q) ? text : text.replaceAll(`“${q}”`, '')
  return repeated.split(/\n|(?<=[.!?]) /).filter((sentence) => sentence.trim() !== '')
}

const entities = { '#x27': "'", quot: '"', lt: '<', gt: '>', amp: '&' }
const isOneWord = (q: string) => !q.trim().includes(' ')

/** Returns whether a part of a page fulfils an expectation. */
export function isFulfilled({ kinds, products, bikePage, names }: Expectation, view: View): boolean {
  return (
    (!kinds || view.products.some(({ kind }) => kinds.includes(kind))) &&
    (!products ||
      view.products.some((listed) => products.some((name) => listed.name.endsWith(` ${name}`)))) &&
    (!bikePage || view.paths.some((path) => `${path}/`.startsWith(`${bikePage}/`))) &&
    (!names || view.sentences.some((sentence) => negates(sentence, names)))
  )
}

const negation = /\b(?:no|not|nothing|unknown|without)\b|n['’]t\b/i

/** Whether a sentence names the word in a negation, with the word in any spelling: MT-07, mt07. */
function negates(sentence: string, word: string): boolean {
  const parts = word.match(/[a-z]+|\d+/gi) ?? []
  return negation.test(sentence) && new RegExp(`\\b${parts.join('[ -]?')}\\b`, 'i').test(sentence)
}
