import { AsyncLocalStorage } from 'node:async_hooks'

type Step = () => Promise<unknown>

interface Resources {
  steps: Step[]
  /** Each returns one message per violation. */
  verifications: (() => Promise<string[]>)[]
}

/** The resources of the current check. Checks of the small size run at the same time. */
const ofCheck = new AsyncLocalStorage<Resources>()
const outsideOfChecks: Resources = { steps: [], verifications: [] }
const all = new Set([outsideOfChecks])
const current = () => ofCheck.getStore() ?? outsideOfChecks

/** Runs the steps in reverse order, even if one fails. @throws the first error */
async function run({ steps }: Resources): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps.splice(0).toReversed()) {
    await step().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

/** Resources of the current check. The harness verifies and closes them; a signal only closes them. */
export const cleanup = {
  /** Adds the last step of a resource. */
  add: (step: Step): void => void current().steps.push(step),
  /** Adds what must hold for a resource when the check has ended. It returns one message per violation. */
  addVerification: (verification: () => Promise<string[]>): void =>
    void current().verifications.push(verification),
  /** Verifies the resources of the current check before they are closed. Returns each message once. */
  async verify(): Promise<string[]> {
    const found = new Set<string>()
    for (const verification of current().verifications)
      for (const message of await verification()) found.add(message)
    return [...found]
  },
  /** Closes the resources of the current check in the reverse order of opening. @throws the first error */
  close: (): Promise<void> => run(current()),
  /** Closes the resources of all checks. @throws the first error */
  async closeAll(): Promise<void> {
    await Promise.all([...all].map(run))
  },
  /** Runs a check, which closes its own resources only. */
  async separate<Result>(check: () => Promise<Result>): Promise<Result> {
    const resources: Resources = { steps: [], verifications: [] }
    all.add(resources)
    return ofCheck.run(resources, check).finally(() => all.delete(resources))
  },
}
