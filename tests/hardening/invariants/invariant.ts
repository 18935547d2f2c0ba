/** A rule for the stored data that holds whenever no request or job is in progress. */
export interface Invariant {
  rule: string
  /** A query that returns the rows that break the rule, with the columns that identify them. */
  offenders: string
}
