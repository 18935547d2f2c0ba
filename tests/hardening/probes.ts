import { setTimeout as delay } from 'node:timers/promises'

/** A request that is repeated during a fault. */
export interface Probe {
  name: string
  ask: () => Promise<Response>
  /** The expected status. */
  well: number
  /** Whether 503 is allowed as well. */
  mayBeRefused: boolean
}

interface Answer {
  name: string
  status: number
  ms: number
  isWell: boolean
}

/** The results of all probes. */
export interface Watch {
  responses: Answer[]
  /** Messages about responses that are never allowed. */
  faults: Set<string>
  /** Returns the milliseconds until all probes of one round have their expected status. @throws after `withinMs` */
  untilWell(withinMs: number): Promise<number>
  end(): Promise<void>
}

const pauseMs = 50
/** Maximum duration of any response, including 503. */
const maxResponseMs = 2_000

/** Starts sending all probes concurrently, in repeated rounds. */
export function watch(probes: readonly Probe[]): Watch {
  const responses: Answer[] = []
  const faults = new Set<string>()
  const state = { isOver: false, lastWell: 0 }

  async function ask({ name, ask, well, mayBeRefused }: Probe): Promise<boolean> {
    const began = performance.now()
    const status = await ask().then(
      async (response) => (await response.text(), response.status),
      () => 0,
    )
    const ms = performance.now() - began
    const isWell = status === well
    responses.push({ name, status, ms, isWell })
    if (status === 0) faults.add(`${name} got no response`)
    else if (!isWell && !(mayBeRefused && status === 503)) faults.add(`${name} returned ${status}`)
    if (ms > maxResponseMs) faults.add(`${name} returned ${status} after ${Math.round(ms)} ms`)
    return isWell
  }

  async function goOn(): Promise<void> {
    while (!state.isOver) {
      const began = performance.now()
      const wells = await Promise.all(probes.map(ask))
      if (wells.every(Boolean)) state.lastWell = began
      await delay(pauseMs)
    }
  }

  const going = goOn()
  return {
    responses,
    faults,
    async untilWell(withinMs) {
      const began = performance.now()
      while (state.lastWell < began) {
        if (performance.now() - began > withinMs) throw new Error(`no recovery within ${withinMs} ms`)
        await delay(pauseMs / 2)
      }
      return performance.now() - began
    },
    async end() {
      state.isOver = true
      await going
    },
  }
}
