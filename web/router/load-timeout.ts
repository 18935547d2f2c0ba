/** A page that is not loaded after this time counts as failed. */
export const loadTimeoutMs = 120_000
