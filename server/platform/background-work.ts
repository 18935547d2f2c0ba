/** Tracks work that continues after the response of the request that started it. */
export class BackgroundWork {
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  add(work: Promise<unknown>): void {
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#running)
  }
}
