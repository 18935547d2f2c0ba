import { setTimeout as delay } from 'node:timers/promises'

/** Something that the shop is asked again and again, while someone hurts it. */
export interface Probe {
  name: string
  ask: () => Promise<Response>
  /** What it is answered when all is well. */
  well: number
  /** Whether it may be refused, with 503, as long as something is wrong. */
  mayBeRefused: boolean
}

interface Answer {
  name: string
  status: number
  ms: number
  isWell: boolean
}

/** What the probes were told; each answer that no one may ever get is a fault. */
export interface Watch {
  responses: Answer[]
  faults: Set<string>
  /** Milliseconds until every probe has been answered well, all in one round. @throws after so many */
  untilWell(withinMs: number): Promise<number>
  end(): Promise<void>
}

const pauseMs = 50
/** So late a 503 may come at most; and so late anything comes that does not need what is wrong. */
const longestMs = 2_000

/** Asks all probes at once, over and over. */
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
    if (status === 0) faults.add(`${name} was not answered`)
    else if (!isWell && !(mayBeRefused && status === 503)) faults.add(`${name} was answered ${status}`)
    if (ms > longestMs) faults.add(`${name} was answered ${status} after ${Math.round(ms)} ms`)
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
        if (performance.now() - began > withinMs) throw new Error(`all was not well again in ${withinMs} ms`)
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
