/** One process migrates at a time. */
export const MIGRATING = 7_461_019
/** One dry run or import of a file at a time, across all processes. */
export const IMPORTING = 7_461_023
/** Held by an import while it changes the catalog. */
export const APPLYING = 7_461_024
/** First key of the locks of unpaid orders; the second is the hash of a customer, email or network. */
export const COUNTING_ORDERS = 7_461_025
