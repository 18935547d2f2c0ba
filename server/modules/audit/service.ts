import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { ChangedColumns } from '../../../db/catalog-schema.ts'
import type { Database } from '../../../db/schema.ts'
import * as repository from './repository.ts'

export { insertChanges } from './repository.ts'

interface RecordedChange extends Pick<repository.Change, 'area' | 'subject' | 'actor'> {
  /** The subject in the list, if it differs. */
  name?: string
  /** All values before the change; null if the subject was added. */
  before: ChangedColumns | null
  /** All values after the change; null if the subject was deleted. */
  after: ChangedColumns | null
}

/** Records the values that differ, in the transaction that changes them. Records nothing if none does. */
export async function recordChange(
  tx: Kysely<Database>,
  { subject, name = subject, before, after, ...change }: RecordedChange,
): Promise<void> {
  const values = Object.keys({ ...before, ...after })
    .map((key) => [key, before?.[key] ?? null, after?.[key] ?? null] as const)
    .filter(([, old, current]) => !isDeepStrictEqual(old, current))
  if (values.length === 0) return
  await repository.insertChange(tx, {
    ...change,
    subject,
    name,
    kind: before === null ? 'added' : after === null ? 'deleted' : 'edited',
    before: Object.fromEntries(values.map(([key, old]) => [key, old])),
    after: Object.fromEntries(values.map(([key, , current]) => [key, current])),
  })
}
