import type { ProductImport } from '../../../contract/imports.ts'

/**
 * The input of a run: the admin has seen the large changes, the wrong rows, and the hosts of pictures. A scheduled import that
 * runs now copies what was chosen for its time.
 */
export const toRun = (
  { id, warnings, errorCount, runAt, copiedHosts }: ProductImport,
  hosts: string[],
  at?: Date,
) => ({
  params: { id },
  query: {
    ...(warnings.length > 0 && { acceptWarnings: 'true' as const }),
    ...(errorCount > 0 && { skipErrors: 'true' as const }),
    ...(at && { at: at.toISOString() }),
  },
  body: { hosts: runAt ? copiedHosts : hosts },
})
