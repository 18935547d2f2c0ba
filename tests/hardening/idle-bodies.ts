import { randomInt, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { errors } from '../../contract/errors.ts'
import { aProduct } from '../factories.ts'
import type { Check, Figure } from './check.ts'
import { cleanup } from './cleanup.ts'
import { peakMemory } from './memory.ts'
import { maxResponseMs, type Probe, probeSession, watch } from './probes.ts'
import { openShopUnderTest } from './shop-under-test.ts'

const sizes = {
  // More bodies than the shop holds, which refuses the oldest ones.
  small: { bodies: 300, heads: 100, unread: 100, maxRequests: 64, seconds: 2, maxMs: 2 * maxResponseMs },
  // Longer than two time limits of a request.
  full: { bodies: 2_000, heads: 500, unread: 500, maxRequests: 256, seconds: 40, maxMs: maxResponseMs },
}
/** A closed connection is opened again after this time. */
const renewMs = 2_000
/** Maximum time until an idle connection is closed. */
const maxIdleMs = 15_000
/** Maximum resident memory: the heap limit of `npm start`. */
const memoryMb = 768

/** Connections that send an incomplete request, or do not read their response, must not take slots from buyers. */
export const idleBodies: Check = {
  name: 'idle',
  isTimed: true,
  async run(size, print) {
    const { bodies, heads, unread, maxRequests, seconds, maxMs } = sizes[size]
    const shop = await openShopUnderTest({
      settings: {
        NODE_OPTIONS: `--max-old-space-size=${memoryMb}`,
        MAX_REQUESTS: String(maxRequests),
        // Behind a proxy the number of connections has no limit.
        TRUSTED_PROXIES: '1',
      },
    })
    const [{ origin, child }] = shop.processes
    const variantId = await aProduct(shop, { name: 'Chain' })
    const probes = [
      probeQuote(origin, variantId),
      await probeSignIn(origin),
      ...(await probeSession({ origin })),
    ]
    const watched = watch(
      probes.map((probe) => ({ ...probe, may503: false })),
      maxMs,
    )
    await watched.untilRecovered(maxMs)
    const attack = holdConnections(origin, [
      ...Array.from({ length: bodies }, (_, index) => toIdleBody(origin, index)),
      ...Array.from({ length: heads }, () => 'GET / HTTP/1.1\r\nHost: shop\r\nX-A: '),
    ])
    const unreadResponses = leaveUnread(origin, unread)
    print(`${bodies} idle bodies, ${heads} idle heads and ${unread} unread responses for ${seconds} s`)
    await delay(seconds * 1_000)
    attack.end()
    unreadResponses.end()
    await watched.end()

    const slowest = Math.max(...watched.responses.map(({ ms }) => ms))
    const memory = peakMemory(child.pid)
    const figures: Figure[] = [
      { what: 'idle bodies, idle heads, unread responses', measured: `${bodies}, ${heads}, ${unread}` },
      {
        what: 'connections opened, of these closed with 408',
        measured: `${attack.opened}, ${attack.refused}`,
      },
      {
        what: 'quotes, logins and other requests in the meantime',
        measured: String(watched.responses.length),
      },
      { what: 'longest response', measured: `${Math.round(slowest)} ms`, bound: `${maxMs} ms` },
      { what: 'maximum memory', measured: `${memory} MiB`, bound: `${memoryMb} MiB` },
    ]
    if (attack.maxOpenMs > 0)
      figures.push({
        what: 'longest idle connection',
        measured: `${(attack.maxOpenMs / 1000).toFixed(1)} s`,
        bound: `${maxIdleMs / 1000} s`,
      })
    const violations = [...watched.faults, ...attack.faults]
    if (attack.maxOpenMs > maxIdleMs)
      violations.push(`an idle connection stayed open for ${Math.round(attack.maxOpenMs)} ms`)
    if (memory > memoryMb) violations.push(`the shop took ${memory} MiB`)
    return { figures, violations }
  },
}

function probeQuote(origin: string, variantId: string): Probe {
  const body = JSON.stringify({ lines: [{ variantId, quantity: 1 }] })
  const headers = { 'content-type': 'application/json' }
  const ask = () => fetch(`${origin}/api/v1/cart/quote`, { method: 'POST', headers, body })
  return { name: 'a quote', ask, expected: 200, may503: false }
}

/** Signs in to a separate account, each time from another network, because the number of sign-ins is limited. */
async function probeSignIn(origin: string): Promise<Probe> {
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID() }
  const send = (path: string, body: object) =>
    fetch(`${origin}/idp${path}`, {
      method: 'POST',
      headers: {
        origin,
        'content-type': 'application/json',
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
      },
      body: JSON.stringify(body),
    })
  await send('/sign-up/email', { ...account, name: 'Robin Rider' })
  return { name: 'a login', ask: () => send('/sign-in/email', account), expected: 204, may503: false }
}

/** Returns the head of a request, and one byte of its body. */
export function toIdleBody(origin: string, index: number): string {
  const path = ['/api/v1/cart/quote', '/api/v1/orders', '/idp/sign-in/email', '/api/v1/payments/webhook'][
    index % 4
  ]
  return [
    `POST ${path} HTTP/1.1`,
    'Host: shop',
    `Origin: ${origin}`,
    `X-Forwarded-For: 10.99.${index >> 8}.${index & 255}`,
    'Content-Type: application/json',
    'Content-Length: 500',
    '',
    '{',
  ].join('\r\n')
}

interface Attack {
  opened: number
  refused: number
  /** Longest time that a connection was open before the shop closed it. */
  maxOpenMs: number
  faults: Set<string>
  end: () => void
}

/** Opens one connection for each text, sends it, and opens the connection again when the shop has closed it. */
export function holdConnections(origin: string, texts: readonly string[]): Attack {
  const open = new Set<Socket>()
  const attack: Attack = { opened: 0, refused: 0, maxOpenMs: 0, faults: new Set(), end }
  let isOver = false
  cleanup.add(async () => end())

  function hold(text: string): void {
    if (isOver) return
    const began = performance.now()
    let received = ''
    const socket = openSocket(origin)
    open.add(socket)
    attack.opened++
    socket.setEncoding('latin1').on('data', (data) => {
      received += String(data)
    })
    socket
      .on('error', () => undefined)
      .on('close', () => {
        open.delete(socket)
        if (isOver) return
        attack.maxOpenMs = Math.max(attack.maxOpenMs, performance.now() - began)
        // A connection that is reset has no response.
        if (received.includes(`"message":"${errors.REQUEST_TIMEOUT.message}"`)) attack.refused++
        else if (received) attack.faults.add(`an idle connection got ${received.split('\r\n')[0]}`)
        setTimeout(hold, renewMs, text)
      })
    socket.write(text)
  }
  function end(): void {
    isOver = true
    for (const socket of open) socket.destroy()
  }

  for (const text of texts) hold(text)
  return attack
}

/** Opens connections that request the largest public response, and do not read it. */
function leaveUnread(origin: string, count: number): Pick<Attack, 'end'> {
  const sockets = Array.from({ length: count }, () => openSocket(origin))
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  cleanup.add(async () => end())
  for (const socket of sockets) {
    socket.on('error', () => undefined).pause()
    // The buffers of the system hold one response of 4 MB.
    socket.write('GET /api/docs/js/scalar.js HTTP/1.1\r\nHost: shop\r\n\r\n'.repeat(3))
  }
  return { end }
}

function openSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin)
  return connect(Number(port), hostname)
}
