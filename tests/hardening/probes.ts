import { setTimeout as delay } from 'node:timers/promises'

/** A request that is repeated during a fault. */
export interface Probe {
  name: string
  ask: () => Promise<Response>
  /** The expected status. */
  expected: number
  /** Whether 503 is allowed as well. */
  may503: boolean
}

interface ProbeResult {
  name: string
  status: number
  ms: number
  isExpected: boolean
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
/** Maximum duration of any response, including 503. */
const maxResponseMs = 2_000

/** Starts sending all probes concurrently, in repeated rounds. */
export function watch(probes: readonly Probe[]): Watch {
  const responses: ProbeResult[] = []
  const faults = new Set<string>()
  const state = { isOver: false, lastSuccess: 0 }

  async function ask({ name, ask, expected, may503 }: Probe): Promise<boolean> {
    const began = performance.now()
    const status = await ask().then(
      async (response) => (await response.text(), response.status),
      () => 0,
    )
    const ms = performance.now() - began
    const isExpected = status === expected
    responses.push({ name, status, ms, isExpected })
    if (status === 0) faults.add(`${name} got no response`)
    else if (!isExpected && !(may503 && status === 503)) faults.add(`${name} returned ${status}`)
    if (ms > maxResponseMs) faults.add(`${name} returned ${status} after ${Math.round(ms)} ms`)
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
