import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { aCustomer } from '../factories.ts'
import type { Finding } from './check.ts'
import type { Tally } from './client.ts'

/** A request that is repeated during a fault. */
export interface Probe {
  name: string
  ask: () => Promise<Response>
  /** The expected status. */
  expected: number
  /** Whether 503 is allowed as well. */
  may503: boolean
  /** Whether the process that serves it may be killed. */
  mayBreak?: boolean
}

interface ProbeResult {
  name: string
  status: number
  ms: number
  /** In milliseconds of `performance.now()`. */
  endedAt: number
  isExpected: boolean
}

/** Reads from the database: a response to a caller with a token is never cached. */
export const readUncached = (origin: string): Promise<Response> =>
  fetch(`${origin}/api/reviews`, { headers: { authorization: 'Bearer none' } })

export function probeReads({ origin }: { origin: string }): Probe {
  return { name: 'a read', ask: () => readUncached(origin), expected: 200, may503: true }
}

/** Updates a separate customer, so that it never waits for another client's lock. */
export async function probeWrites(
  { origin }: { origin: string },
  shop: Parameters<typeof aCustomer>[0],
): Promise<Probe> {
  const { email, token } = await aCustomer(shop)
  const update = {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Robin Rider' }),
  }
  const url = `${origin}/api/create-user/${encodeURIComponent(email)}`
  return { name: 'a write', ask: () => fetch(url, update), expected: 200, may503: true }
}

/**
 * Calls of the identity provider, with the session of a separate account. Each call comes from another network,
 * because their number is limited: needs TRUSTED_PROXIES=1.
 */
export async function probeSession({ origin }: { origin: string }): Promise<Probe[]> {
  const send = (path: string, { cookie = '', body }: { cookie?: string; body?: object } = {}) =>
    fetch(`${origin}/idp${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        origin,
        cookie,
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID(), name: 'Robin Rider' }
  const { status, headers } = await send('/sign-up/email', { body: account })
  if (status !== 204) throw new Error(`a sign-up returned ${status}`)
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  return [
    { name: 'an ID token', ask: () => send('/token', { cookie }), expected: 200, may503: true },
    { name: 'a session', ask: () => send('/email', { cookie }), expected: 200, may503: true },
    {
      name: 'a change of the name',
      ask: () => send('/update-user', { cookie, body: { name: 'Robin Rider' } }),
      expected: 204,
      may503: true,
    },
  ]
}

/** The results of all probes. */
export interface Watch {
  responses: ProbeResult[]
  /** Messages about responses that are never allowed. */
  faults: Set<string>
  /** Returns the milliseconds until all probes of one round have their expected status. @throws after `withinMs` */
  untilRecovered(withinMs: number): Promise<number>
  end(): Promise<void>
}

const pauseMs = 50
const BAD_GATEWAY = 502
/** Maximum duration of any response, including 503. */
export const maxResponseMs = 2_000

/** Returns the figure of the longest wait for a 503 of all clients and probes, and the violation if it was too long. */
export function judge503({ slowest503 }: Tally, watches: readonly Watch[], maxMs = maxResponseMs): Finding {
  const { what, ms } = watches
    .flatMap(({ responses }) => responses)
    .filter(({ status }) => status === 503)
    .reduce((slowest, { name, ms }) => (ms > slowest.ms ? { what: name, ms } : slowest), slowest503)
  const measured = `${Math.round(ms)} ms (${what})`
  return {
    figures: [{ what: 'longest wait for a 503', measured, bound: `${maxMs} ms` }],
    violations: ms > maxMs ? [`the longest wait for a 503 was ${measured}`] : [],
  }
}

/** Starts sending all probes concurrently, in repeated rounds. */
export function watch(probes: readonly Probe[], maxMs = maxResponseMs): Watch {
  const responses: ProbeResult[] = []
  const faults = new Set<string>()
  const state = { isOver: false, lastSuccess: 0 }

  async function ask({ name, ask, expected, may503, mayBreak }: Probe): Promise<boolean> {
    const began = performance.now()
    const status = await ask().then(
      async (response) => (await response.text(), response.status),
      () => 0,
    )
    const endedAt = performance.now()
    const ms = endedAt - began
    const isExpected = status === expected
    responses.push({ name, status, ms, endedAt, isExpected })
    const isBroken = status === 0 || status === BAD_GATEWAY
    if (isBroken && mayBreak) return false
    if (status === 0) faults.add(`${name} got no response`)
    else if (!isExpected && !(may503 && status === 503)) faults.add(`${name} returned ${status}`)
    if (ms > maxMs) faults.add(`${name} returned ${status} after ${Math.round(ms)} ms`)
    return isExpected
  }

  async function repeatProbes(): Promise<void> {
    while (!state.isOver) {
      const began = performance.now()
      const results = await Promise.all(probes.map(ask))
      if (results.every(Boolean)) state.lastSuccess = began
      await delay(pauseMs)
    }
  }

  const repeating = repeatProbes()
  return {
    responses,
    faults,
    async untilRecovered(withinMs) {
      const began = performance.now()
      while (state.lastSuccess < began) {
        if (performance.now() - began > withinMs) throw new Error(`no recovery within ${withinMs} ms`)
        await delay(pauseMs / 2)
      }
      return performance.now() - began
    },
    async end() {
      state.isOver = true
      await repeating
    },
  }
}
