import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { recordChange } from '../audit/service.ts'
import { findImport } from './repository.ts'

/** Records an import that has ended as one change, because the audit does not list its changes of products. */
export async function recordImport(tx: Kysely<Database>, id: string): Promise<void> {
  const found = await findImport(tx, id)
  if (!found) return
  const { added, changed, removed, skipped_count: left_out, failure } = found
  const wrong_rows = found.skips_errors ? found.wrong_rows : 0
  const counts = Object.entries({ added, changed, removed, left_out, wrong_rows }).filter(
    ([, count]) => count > 0,
  )
  await recordChange(tx, {
    area: 'imports',
    subject: id,
    name: found.source === 'undo' ? `Undo of ${found.file_name}` : found.file_name,
    before: null,
    after: { kind: found.kind, ...Object.fromEntries(counts), ...(failure !== null && { failure }) },
    actor: found.run_by === null ? null : { customerId: found.run_by, ip: found.run_ip },
  })
}
