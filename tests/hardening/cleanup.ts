import { Cleanup } from '../../server/platform/cleanup.ts'

/** Resources of the current check. Closed after the check, and when a signal stops the harness. */
export const cleanup = new Cleanup()
