import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ownGtin } from '../../seed/numbers.ts'
import { aCheckout, anAdmin, aProduct, untilDecided } from '../factories.ts'
import type { Check, Size } from './check.ts'
import { inLanes } from './parallel.ts'
import { type Random, randomFor } from './random.ts'
import { openShopUnderTest } from './shop-under-test.ts'

const sizes: Record<Size, { orders: number }> = { small: { orders: 60 }, full: { orders: 2_000 } }
const connections = 16
const products = 40
const maxFound = 20

const firstNames = [
  'Jürgen',
  'Juergen',
  'Jurgen',
  'Zoë',
  'Łukasz',
  'Søren',
  'Anne-Marie',
  'Uwe',
  'Mária',
  'O’Neil',
]
const lastNames = [
  'Müller',
  'Mueller',
  'Muller',
  'Großmann',
  'da Silva',
  'Popescu',
  'Öztürk',
  "D'Angelo",
  'Ñoño',
  'Lee',
]
const cities = ['Köln', 'Koeln', 'Saarbrücken', 'Düsseldorf', 'Bonn', 'São Paulo', 'Łódź', 'Bad Ems']
const tags = ['#rückruf', '#size-L', '#VIP']

/** An order as the reference reads it. */
interface Known {
  id: string
  name: string
  email: string
  phone: string
  city: string
  postalCode: string
  sku: string
  gtin: string
  /** All texts of the order and its notes. */
  texts: string[]
  tags: string[]
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
const toWords = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
const toGerman = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
const toKey = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
const toDigits = (text: string): string => text.replaceAll(/\D/g, '')

/** A word with and without the e of German umlauts, for its first three vowels that can have one. */
function toSpellings(word: string): string[] {
  let vowels = 0
  const spelled = word.split(/([aou]e?)/).reduce(
    (done, part) => {
      if (!/^[aou]e?$/.test(part)) return done.map((each) => each + part)
      const [vowel = ''] = part
      vowels++
      return done.flatMap((each) => (vowels > 3 ? [each + vowel] : [each + vowel, `${each}${vowel}e`]))
    },
    [''],
  )
  return [...spelled, word]
}

/** The words of a text: in both spellings of umlauts, apart and joined. */
const toAllWords = (text: string): string[] =>
  [text, toGerman(text)].flatMap((each) => [...toWords(each), ...toWords(each.replaceAll(/[-./'’]/g, ''))])

const hasPhone = ({ phone }: Known, input: string): boolean =>
  /^[-0-9+()/. ]+$/.test(input) &&
  toDigits(input).length >= 4 &&
  toDigits(phone).endsWith(toDigits(input).slice(-8))

/** The reference: whether the search must find an order. */
function isFound(order: Known & { words: string[] }, q: string): boolean {
  const input = q.trim().replaceAll(/\s+/g, ' ')
  if (isNamed(order, q) || input.replaceAll(/[\s-]/g, '') === order.gtin) return true
  const terms = input.split(' ').filter((term) => toWords(term).length > 0)
  const hasWord = (word: string) =>
    toSpellings(word).some((spelling) =>
      order.words.some((each) =>
        Math.min(word.length, spelling.length) >= 3 ? each.startsWith(spelling) : each === spelling,
      ),
    )
  const hasSku = (text: string) => toKey(order.sku).startsWith(toKey(text))
  const hasTerm = (term: string) => {
    if (/.@/.test(term)) return order.email.startsWith(term.toLowerCase())
    const words = toWords(term)
    if (term.startsWith('#')) return order.tags.some((tag) => tag.startsWith(`#${words.join('-')}`))
    return (
      words.every(hasWord) ||
      toWords(toGerman(term)).every(hasWord) ||
      (words.length > 1 && hasWord(words.join(''))) ||
      (words.join(' ').length >= 3 && hasSku(words.join(''))) ||
      hasPhone(order, term)
    )
  }
  const isNumber = /^(?=.*\d)[A-Za-z0-9 ./-]{4,40}$/.test(input)
  const isWhole = input.includes(' ') && (hasPhone(order, input) || (isNumber && hasSku(input)))
  return isWhole || (terms.length > 0 && terms.every(hasTerm))
}

const isNamed = ({ id }: Known, q: string): boolean => {
  const number = /^#?([0-9a-f]{4,24})$/.exec(q.toLowerCase())?.[1]
  return number !== undefined && id.startsWith(number)
}

/** Twelve ways to ask for an order. */
function spell(order: Known, random: Random): string[] {
  const national = `0${toDigits(order.phone).slice(2)}`
  const words = order.name.split(' ')
  return [
    order.name,
    words.toReversed().join(' ').toUpperCase(),
    plain(order.name),
    `${toGerman(order.name)} ${toGerman(order.city)}`,
    words.map((word) => word.slice(0, 3 + random.below(3))).join('  '),
    `${national.slice(0, 4)} ${national.slice(4, 7)} ${national.slice(7)}`,
    `+${toDigits(order.phone).slice(0, 2)} (0)${toDigits(order.phone).slice(2)}`,
    order.phone.slice(-4 - random.below(4)),
    `#${order.id.slice(0, 6)}`,
    order.sku.toLowerCase().replaceAll('-', random.pick(['', ' ', '-'])),
    order.gtin,
    random.pick([`${order.postalCode} ${order.city}`, order.email, ...order.tags, `${order.postalCode} x`]),
  ]
}

/** Random orders are searched in twelve spellings, and each result is compared with a search in JavaScript. */
export const searchTwin: Check = {
  name: 'search',
  async run(size, print, seed) {
    const { orders: count } = sizes[size]
    const shop = await openShopUnderTest({ settings: { GUEST_ORDERS_PER_NETWORK: '1000000' } })
    const [process] = shop.processes
    const admin = await anAdmin(shop)
    const variants = await inOrder(products, async (number) => {
      const sku = `${randomFor(seed, number).pick(['NIS', 'MER', 'K'])}-${1000 + number * 7}-${number % 3}`
      const gtin = ownGtin(number * 977)
      return {
        id: await aProduct(shop, { name: `Part ${number} für Öl`, sku, gtin, quantity: count }),
        sku,
        gtin,
      }
    })

    const orders: Known[] = []
    await inLanes(Array(count).keys(), connections, async (number) => {
      const random = randomFor(seed, 1_000 + number)
      const variant = random.pick(variants)
      const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
      const city = random.pick(cities)
      const postalCode = String(10_000 + random.below(89_999))
      const phone = `+49 ${150 + random.below(30)} ${1_000_000 + random.below(8_999_999)}`
      const email = `${plain(name).replaceAll(/[^a-z]/g, '.')}.${number}@example.com`
      const note = random.chance(0.2) ? 'Bitte läuten' : ''
      const address = { name, phone, line1: `${number} Straße`, city, postalCode, country: 'DE' }
      const line = { variantId: variant.id, quantity: 1, unitPrice: 40 }
      const request = {
        headers: { 'idempotency-key': randomUUID() },
        body: aCheckout([line], { email, note, asGuest: true, address }),
      }
      // Guests of one network wait for each other.
      const { body, status } = await untilDecided(() => process.call('checkOut', request))
      if (status !== 200) throw new Error(`an order was refused: ${JSON.stringify(body)}`)
      const texts = [name, email, `${number} Straße`, city, postalCode, 'Germany', note]
      const index = variants.indexOf(variant)
      orders.push({
        ...variant,
        id: body.id,
        name,
        email,
        phone,
        city,
        postalCode,
        texts: [...texts, `Part ${index} für Öl`],
        tags: [],
      })
    })

    // Notes and cancellations change documents, and cancelled orders stay in the search.
    await inLanes(orders.keys(), connections, async (number) => {
      const random = randomFor(seed, 100_000 + number)
      const order = orders[number]
      if (!order || random.chance(0.6)) return
      const as = admin
      if (random.chance(0.5)) await process.call('deleteOrder', { as, query: { id: order.id } })
      const [tag, body] = [random.pick(tags), `Anruf ${number} käme spät`]
      const note = await process.call('addNote', { as, body: { orderId: order.id, body: `${body} ${tag}` } })
      if (random.chance(0.5)) {
        await process.call('removeNote', { as, params: { id: note.body.id } })
      } else {
        order.texts.push(`${body} ${tag}`)
        order.tags.push(`#${toWords(tag).join('-')}`)
      }
    })
    const { rows } = await sql<{ id: string }>`
      select id from orders order by placed_at desc, id`.execute(shop.db)
    const places = new Map(rows.map(({ id }, place) => [id, place]))
    const known = orders
      .map((order) => ({ ...order, words: [...new Set(order.texts.flatMap(toAllWords))] }))
      .toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
    print(`${known.length} orders, 12 spellings each`)

    const violations: string[] = []
    let found = 0
    await inLanes(known.keys(), connections, async (number) => {
      const order = known[number]
      if (!order) return
      for (const q of spell(order, randomFor(seed, 200_000 + number))) {
        const { body, status } = await process.call('search', { as: admin, query: { q } })
        const all = known.filter((each) => isFound(each, q))
        const expected = [
          ...all.filter((each) => isNamed(each, q)),
          ...all.filter((each) => !isNamed(each, q)),
        ]
        const ids = expected.slice(0, maxFound).map(({ id }) => id)
        const got = status === 200 ? body.orders.map(({ id }) => id) : [`status ${status}`]
        found += got.length
        if (got.join() !== ids.join() || body.moreOrders !== expected.length > maxFound) {
          violations.push(
            `“${q}” found ${got.length} of ${expected.length} orders: ${got[0]} instead of ${ids[0]}`,
          )
        }
      }
    })
    return {
      figures: [
        { what: 'orders, spellings, connections', measured: `${count}, 12, ${connections}` },
        { what: 'hits', measured: `${found}` },
        { what: 'searches with other hits than the reference', measured: `${violations.length}`, bound: '0' },
      ],
      violations: [
        ...violations.slice(0, 10),
        ...(found < count ? ['the searches found less than the orders'] : []),
      ],
    }
  },
}

/** Calls a function for 0 to `count` - 1, one after the other. */
async function inOrder<Value>(count: number, create: (number: number) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let number = 0; number < count; number++) values.push(await create(number))
  return values
}
