import type { ProductImport } from '../../../contract/imports.ts'

/** The parameters of a run: the admin has seen the large changes and the wrong rows. */
export const toRunQuery = ({ warnings, errorCount }: ProductImport) => ({
  ...(warnings.length > 0 && { acceptWarnings: 'true' as const }),
  ...(errorCount > 0 && { skipErrors: 'true' as const }),
})
