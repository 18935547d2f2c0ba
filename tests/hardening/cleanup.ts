import { AsyncLocalStorage } from 'node:async_hooks'

type Step = () => Promise<unknown>

/** The steps of the current check. Checks of the small size run at the same time. */
const ofCheck = new AsyncLocalStorage<Step[]>()
const outsideOfChecks: Step[] = []
const all = new Set([outsideOfChecks])
const current = () => ofCheck.getStore() ?? outsideOfChecks

/** Runs the steps in reverse order, even if one fails. @throws the first error */
async function run(steps: Step[]): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps.splice(0).toReversed()) {
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Resources of the current check. Closed after the check, and when a signal stops the harness. */
export const cleanup = {
  /** Adds the last step of a resource. */
  add: (step: Step): void => void current().push(step),
  /** Closes the resources of the current check in the reverse order of opening. @throws the first error */
  close: (): Promise<void> => run(current()),
  /** Closes the resources of all checks. @throws the first error */
  async closeAll(): Promise<void> {
    await Promise.all([...all].map(run))
  },
  /** Runs a check, which closes its own resources only. */
  async separate<Result>(check: () => Promise<Result>): Promise<Result> {
    const steps: Step[] = []
    all.add(steps)
    return ofCheck.run(steps, check).finally(() => all.delete(steps))
  },
}
