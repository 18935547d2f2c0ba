/** Tracks work that continues after the response of the request that started it. */
export class BackgroundWork {
  readonly #stopping = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()

  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  add(work: Promise<unknown>): void {
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#underWay)
  }
}
