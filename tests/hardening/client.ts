import { setTimeout as delay } from 'node:timers/promises'
import type { RouteName } from '../../contract/routes.ts'
import type { CallOptions, Reply, TestResponse } from '../call.ts'
import type { Random } from './random.ts'
import type { Process } from './shop-under-test.ts'

/** What a crowd has met at the doors of a shop. */
export interface Tally {
  responses: number
  /** Answers that never came: the connection broke. */
  lost: number
  /** Answers 503, to be tried again. */
  unavailable: number
  longestMs: number
  /** Answers that no one may ever get, each in a sentence. */
  faults: string[]
}

export const emptyTally = (): Tally => ({ responses: 0, lost: 0, unavailable: 0, longestMs: 0, faults: [] })

/** Nothing of the shop may take longer: a caller who waits forever is lost as well. */
const timeoutMs = 30_000
const insistMs = 120_000
const pauseMs = 100

/** Calls a shop of several processes, at any of them, as a proxy before it would. */
export interface Client {
  /** One call; null if no answer came, and no one knows whether it happened. */
  attempt<Name extends RouteName>(name: Name, options: CallOptions): Promise<TestResponse<Reply<Name>> | null>
  /** Repeats a call that may be repeated until it is answered by something else than 503. */
  insist<Name extends RouteName>(name: Name, options: CallOptions): Promise<TestResponse<Reply<Name>>>
  /** The same for the payment provider, who may fail as it likes. */
  repeat<Got extends { status: number }>(ask: (signal: AbortSignal) => Promise<Got>): Promise<Got>
}

export function openClient(processes: readonly Process[], random: Random, tally: Tally): Client {
  async function once<Got extends { status: number }>(
    what: string,
    isOurs: boolean,
    ask: (signal: AbortSignal) => Promise<Got>,
  ): Promise<Got | null> {
    const began = performance.now()
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await ask(signal)
      tally.responses += 1
      tally.longestMs = Math.max(tally.longestMs, performance.now() - began)
      if (response.status === 503) tally.unavailable += 1
      else if (isOurs && response.status >= 500) tally.faults.push(`${what} was answered ${response.status}`)
      return response
    } catch (error) {
      if (signal.aborted) tally.faults.push(`${what} was not answered within ${timeoutMs} ms`)
      else if (!isConnectionLost(error)) throw error
      tally.lost += 1
      return null
    }
  }

  async function untilAnswered<Got extends { status: number }>(what: string, ask: () => Promise<Got | null>) {
    const began = performance.now()
    for (;;) {
      const response = await ask()
      if (response && response.status < 500) return response
      if (performance.now() - began > insistMs) throw new Error(`${what} got no answer in ${insistMs} ms`)
      await delay(pauseMs)
    }
  }

  const attempt: Client['attempt'] = (name, options) =>
    once(name, true, (signal) => random.pick(processes).call(name, { ...options, signal }))
  return {
    attempt,
    insist: (name, options) => untilAnswered(name, () => attempt(name, options)),
    repeat: (ask) => untilAnswered('the provider', () => once('the provider', false, ask)),
  }
}

/** `fetch` says so in one way only, for a refused connection and for an answer that was cut off. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message)
}
