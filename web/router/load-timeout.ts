/** After this many milliseconds a part of the application that is still loading is given up. */
export const loadTimeoutMs = 120_000
