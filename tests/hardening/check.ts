/** `small` is part of `npm test`; `full` is run by hand and written into docs/hardening.md. */
export type Size = 'small' | 'full'

/** One row of the table. */
export interface Figure {
  what: string
  /** With its unit. */
  measured: string
  /** What it must not pass, with its unit. */
  bound?: string
}

export interface Finding {
  figures: Figure[]
  /** Each rule that was broken, in a sentence; none if all of them hold. */
  violations: string[]
}

/** One attack on a shop that really runs, and what came of it. */
export interface Check {
  name: string
  /**
   * What is opened is added to `ending`, and closed by the harness.
   *
   * @param print tells someone who waits how far it is
   * @param seed the same one makes the same plan; what the machine makes of it differs
   */
  run(size: Size, print: (progress: string) => void, seed: number): Promise<Finding>
}
