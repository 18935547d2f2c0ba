/** `small` is part of `npm test`; `full` is run by hand and written into docs/hardening.md. */
export type Size = 'small' | 'full'

/** One row of the table. */
export interface Figure {
  what: string
  /** The value with its unit. */
  measured: string
  /** The limit with its unit. */
  bound?: string
}

export interface Finding {
  figures: Figure[]
  /** One message per broken rule; empty if all rules hold. */
  violations: string[]
}

/** One attack on a running shop. */
export interface Check {
  name: string
  /** Has no small size: it takes long, or needs programs that npm does not install. */
  isFullOnly?: true
  /** In the small size only if it is chosen with `--only`, so that `npm test` stays short. */
  isChosenOnly?: true
  /** Limits durations, so it does not run beside a check that needs all cores. */
  isTimed?: true
  /**
   * Adds everything that it opens to `cleanup`, which the harness verifies and closes.
   *
   * @param print prints progress
   * @param seed determines the plan of the attack, but not its timing
   */
  run(size: Size, print: (progress: string) => void, seed: number): Promise<Finding>
}
