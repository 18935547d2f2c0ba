import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { aCustomer, anOrder, aProduct } from '../factories.ts'
import { listen, stop } from '../listen.ts'
import { quantile } from '../quantiles.ts'
import type { Check } from './check.ts'
import { cleanup } from './cleanup.ts'
import { type EmbeddedShopUnderTest, openShopUnderTest, untilTrue } from './shop-under-test.ts'

/** More than one network may try. */
const wrongPasswords = 30
/** The job that fetches photos runs every 10 s. */
const photosWithinMs = 30_000
const privateHosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']

/** Withdrawals from orders of the shop, and as many from others. */
const withdrawalCounts = { small: 150, full: 500 }
/** At most as many as the shop acknowledges to one email in a day. */
const withdrawalsPerEmail = 3
/**
 * The lower quartiles of interleaved requests differ by less; a busy machine changes them less than medians. Two more queries
 * for a known order take 1.17 times as long.
 */
const maxTimeRatios = { small: 1.15, full: 1.1 }
/** If they differ by more, as many requests are added: chance differs less with more of them, and a query does not. */
const maxRounds = 3

/** A stranger behind a proxy: logs in as others, locks them out, and makes the shop and its visitors open URLs. */
export const accounts: Check = {
  name: 'accounts',
  isTimed: true,
  async run(size, print) {
    const shop = await openShopUnderTest({ settings: { TRUSTED_PROXIES: '1' } })
    const [{ origin, call }] = shop.processes
    const violations: string[] = []

    const sandbox = await fetch(`${origin}/sandbox/google/authorize`)
    if (sandbox.status !== 404) violations.push(`the Google sandbox returned ${sandbox.status}`)

    print(`${wrongPasswords} wrong passwords`)
    const account = { email: `${randomUUID()}@example.com`, password: randomUUID() }
    await sendIdentity(origin, '192.0.2.1', '/sign-up/email', { ...account, name: 'Robin Rider' })
    const guess = { ...account, password: 'wrong-password' }
    const guesses: number[] = []
    for (let count = 0; count < wrongPasswords; count++)
      guesses.push(await sendIdentity(origin, '198.51.100.1', '/sign-in/email', guess))
    const refused = guesses.filter((status) => status === 429).length
    if (refused === 0) violations.push(`none of ${wrongPasswords} wrong passwords was refused`)
    const owner = await sendIdentity(origin, '203.0.113.1', '/sign-in/email', account)
    if (owner !== 204) violations.push(`the owner's login in a new browser returned ${owner}`)

    print('photos at private URLs')
    const stranger = await openStranger()
    for (const host of privateHosts) {
      const as = await aCustomer(shop)
      const photo = `http://${host}:${stranger.port}/photo.png`
      const { status } = await call('updateProfile', { as, params: { email: as.email }, body: { photo } })
      if (status !== 200) violations.push(`the photo ${photo} returned ${status}`)
      await call('addReview', { as, body: { review: `From ${host}` } })
    }
    const areRefused = async () => {
      const refused = await shop.db
        .selectFrom('profile_photos')
        .where('problem', 'is not', null)
        .select('url')
        .execute()
      return refused.length === privateHosts.length
    }
    const loads = new RegExp(`(?:src|srcset|href)="[^"]*:${stranger.port}/`)
    for (const path of ['/', '/reviews']) {
      const page = await (await fetch(`${origin}${path}`)).text()
      if (!page.includes('From 2130706433')) violations.push(`${path} does not show the reviews`)
      if (loads.test(page)) violations.push(`${path} loads the photo from a stranger`)
    }
    if (size === 'full') await untilTrue(areRefused, photosWithinMs, 'refusing the photos')
    if (stranger.connections() > 0) violations.push('the shop has connected to a private IP')

    const withdrawals = withdrawalCounts[size]
    print(`${withdrawals} withdrawals from known orders, and ${withdrawals} from unknown ones`)
    const maxTimeRatio = maxTimeRatios[size]
    const isWithin = (ratio: number) => ratio <= maxTimeRatio && ratio >= 1 / maxTimeRatio
    const times: Times = { known: [], unknown: [] }
    let ratio = Number.NaN
    for (let round = 0; round < maxRounds && !isWithin(ratio); round++) {
      await sendWithdrawals(shop, withdrawals, times)
      ratio = quantile(times.known, 0.25) / quantile(times.unknown, 0.25)
    }
    if (!isWithin(ratio))
      violations.push(`a withdrawal from a known order takes ${ratio.toFixed(2)} times as long`)

    return {
      figures: [
        {
          what: 'lower quartile of withdrawals from known orders, as a share of unknown ones',
          measured: ratio.toFixed(2),
          bound: `${(1 / maxTimeRatio).toFixed(2)} to ${maxTimeRatio}`,
        },
        {
          what: 'wrong passwords of one network, of these refused',
          measured: `${wrongPasswords}, ${refused}`,
        },
        ...(size === 'full'
          ? [{ what: 'connections to private IPs', measured: `${stranger.connections()}`, bound: '0' }]
          : []),
      ],
      violations,
    }
  },
}

type Times = Record<'known' | 'unknown', number[]>

/**
 * Sends withdrawals without proof of the buyer, in turns with the number and email of an order and with invented ones.
 * Adds their times.
 */
async function sendWithdrawals(shop: EmbeddedShopUnderTest, withdrawals: number, all: Times): Promise<void> {
  const [{ call }] = shop.processes
  const accounts = Math.ceil(withdrawals / withdrawalsPerEmail)
  const productId = await aProduct(shop, { quantity: accounts })
  const known: { email: string; orderNumber: string }[] = []
  for (let count = 0; count < accounts; count++) {
    const buyer = await aCustomer(shop)
    const id = await anOrder({ ...shop, call }, buyer, { productId })
    known.push({ email: buyer.email, orderNumber: `#${id.slice(0, 6)}` })
  }
  const unknown = known.map(() => ({
    email: `${randomUUID()}@example.com`,
    orderNumber: `#${randomBytes(3).toString('hex')}`,
  }))
  const groups = [
    { orders: known, times: all.known },
    { orders: unknown, times: all.unknown },
  ]
  let sent = all.known.length * 2
  for (let count = 0; count < withdrawals; count++) {
    // Each kind is sent first as often as the other.
    for (const { orders, times } of count % 2 === 0 ? groups : groups.toReversed()) {
      sent++
      const order = orders[count % accounts]
      if (!order) throw new Error('there are fewer orders than accounts')
      const start = performance.now()
      const { status } = await call('withdraw', {
        headers: { 'x-forwarded-for': `10.0.${sent >> 8}.${sent & 255}` },
        body: { ...order, name: 'Robin Rider' },
      })
      times.push(performance.now() - start)
      if (status !== 200) throw new Error(`a withdrawal returned ${status}`)
    }
  }
}

/** Sends a request to the identity provider from an IP. Returns the status. */
async function sendIdentity(origin: string, ip: string, path: string, body: object): Promise<number> {
  const headers = { origin, 'content-type': 'application/json', 'x-forwarded-for': ip }
  const response = await fetch(`${origin}/idp${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

/** Opens a server on a private IP, which counts its connections. */
async function openStranger() {
  let connections = 0
  const server = createServer((_request, response) => response.end())
  server.on('connection', () => connections++)
  const port = await listen(server)
  cleanup.add(() => stop(server))
  return { port, connections: () => connections }
}
