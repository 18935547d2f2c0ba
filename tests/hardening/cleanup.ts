import { Cleanup } from '../../server/platform/cleanup.ts'

/** What the check that runs has opened: closed after it, and where someone ends the harness in its midst. */
export const ending = new Cleanup()
