import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorCode } from '../../contract/errors.ts'
import type { RouteName } from '../../contract/routes.ts'
import type { Caller, CallOptions, Reply, TestResponse } from '../call.ts'
import type { Random } from './random.ts'

/** Statistics of the responses to all clients of one check. */
export interface Tally {
  responses: number
  /** One entry per request without a response, with the reason: the connection broke or the request timed out. */
  lost: string[]
  /** Responses with status 503; the client may retry. */
  unavailable: number
  /** The longest wait for one that is not due to the payment provider. */
  slowest503: { what: string; ms: number }
  slowestMs: number
  /** One message per response that is never allowed. */
  faults: string[]
}

export const emptyTally = (): Tally => ({
  responses: 0,
  lost: [],
  unavailable: 0,
  slowest503: { what: 'none', ms: 0 },
  slowestMs: 0,
  faults: [],
})

/** Maximum duration of one request. A timeout is a fault. */
const timeoutMs = 30_000
const insistMs = 300_000
const pauseMs = 100
const BAD_GATEWAY = 502

/** Sends each call to a random process of the shop, as a load balancer would. */
export interface Client {
  /** Sends one call. Returns null if the connection broke or timed out: the call may have succeeded or not. */
  attempt<Name extends RouteName>(name: Name, options: CallOptions): Promise<TestResponse<Reply<Name>> | null>
  /** Repeats an idempotent call until its status is below 500. @throws after `insistMs` */
  insist<Name extends RouteName>(name: Name, options: CallOptions): Promise<TestResponse<Reply<Name>>>
  /** The same for the payment provider, whose 5xx responses are not faults. */
  repeat<Got extends { status: number }>(ask: (signal: AbortSignal) => Promise<Got>): Promise<Got>
}

export function openClient(processes: readonly Caller[], random: Random, tally: Tally): Client {
  async function once<Got extends { status: number }>(
    what: string,
    isOurs: boolean,
    ask: (signal: AbortSignal) => Promise<Got>,
  ): Promise<Got | null> {
    const began = performance.now()
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await ask(signal)
      const ms = performance.now() - began
      // From a load balancer: the process has ended before its response.
      if (response.status === BAD_GATEWAY) {
        tally.lost.push(`${what}: 502`)
        return null
      }
      tally.responses += 1
      tally.slowestMs = Math.max(tally.slowestMs, ms)
      if (response.status === 503) {
        tally.unavailable += 1
        if (isOurs && !isProviderDown(response) && ms > tally.slowest503.ms) tally.slowest503 = { what, ms }
      } else if (isOurs && response.status >= 500) tally.faults.push(`${what} returned ${response.status}`)
      return response
    } catch (error) {
      if (signal.aborted) tally.faults.push(`${what} did not respond within ${timeoutMs} ms`)
      else if (!isConnectionLost(error)) throw error
      tally.lost.push(`${what}: ${String((error as Error).cause ?? error)}`)
      return null
    }
  }

  async function untilResponse<Got extends { status: number }>(what: string, ask: () => Promise<Got | null>) {
    const began = performance.now()
    for (;;) {
      const response = await ask()
      if (response && response.status < 500) return response
      if (performance.now() - began > insistMs)
        throw new Error(`${what} got no response within ${insistMs} ms`)
      await delay(pauseMs)
    }
  }

  const attempt: Client['attempt'] = (name, options) =>
    once(name, true, (signal) => random.pick(processes).call(name, { ...options, signal }))
  return {
    attempt,
    insist: (name, options) => untilResponse(name, () => attempt(name, options)),
    repeat: (ask) => untilResponse('the provider', () => once('the provider', false, ask)),
  }
}

function isProviderDown(response: object): boolean {
  return (response as TestResponse<{ code?: ErrorCode }>).body.code === 'PAYMENT_PROVIDER_UNAVAILABLE'
}

/** `fetch` throws a TypeError with one of these messages when a connection is refused or breaks. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)
}
