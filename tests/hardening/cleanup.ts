/** Closes resources in the reverse order of opening. */
class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = []

  add(step: () => Promise<unknown>): void {
    this.#steps.push(step)
  }

  /** Closes all resources, even if one fails. @throws the first error */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const step of this.#steps.splice(0).toReversed()) {
      await step().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
}
/** Resources of the current check. Closed after the check, and when a signal stops the harness. */
export const cleanup = new Cleanup()
