import type { Kysely, RawBuilder } from 'kysely'
import type { Database } from '../../../../db/schema.ts'
import { FileRefused } from '../read-file.ts'
import { moveProducts, moveRowsWithErrors, type RowTable } from './repository.ts'

/** A product may need the part number of another one, which needs the number of a third. */
const maxRounds = 20

interface WrongRows {
  /** A query of the products of rows that could not be read, as `product_id`. */
  unreadable: RawBuilder<unknown>
  /** Tables for `with` that end with `found`: row, "column", message. */
  errorTables: RawBuilder<unknown>
  /** The errors of the stored rows. Without any, the query for errors does not run again. */
  errorCount: number
  /** Matches the other rows again, after some were moved. */
  rematch?: () => Promise<void>
}

/**
 * Takes the products with wrong rows out of the import, until the others have no errors. A product may have an error only
 * because another one is left out.
 *
 * @throws FileRefused if that does not end
 */
export async function leaveOutErrors(
  tx: Kysely<Database>,
  table: RowTable,
  { unreadable, errorTables, errorCount, rematch }: WrongRows,
): Promise<void> {
  let moved = await moveProducts(tx, table, unreadable)
  if (moved === 0 && errorCount === 0) return
  for (let round = 0; round < maxRounds; round += 1) {
    if (moved > 0) await rematch?.()
    moved = await moveRowsWithErrors(tx, table, errorTables)
    if (moved === 0) return
  }
  throw new FileRefused('Too many rows depend on rows with errors. Fix the errors and upload the file again.')
}
