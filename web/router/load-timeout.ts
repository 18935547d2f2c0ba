/** After this many milliseconds a part of the application that is still loading is given up. */
export const patience = 120_000
