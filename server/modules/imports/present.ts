import type { ProductImport } from '../../../contract/imports.ts'
import type * as repository from './repository.ts'

/** An import as the contract has it. */
export function presentImport(found: repository.ProductImport): ProductImport {
  const { id, state, failure, rows, done, added, changed, unchanged, errors, changes } = found
  return {
    id,
    fileName: found.file_name,
    state,
    failure,
    rows,
    done,
    added,
    changed,
    unchanged,
    errorCount: found.error_count,
    errors,
    changes,
  }
}
