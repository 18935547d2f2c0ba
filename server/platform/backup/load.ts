import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { damaged } from './format.ts'
import { type Contents, readBackup } from './read.ts'
import { listSequences, listTables, type Scope, type Sequence, setSequence, type Table } from './tables.ts'

interface LoadOptions {
  scope: Scope
  onProgress: (message: string) => void
  signal?: AbortSignal
}

/**
 * Fills the empty tables in the caller's transaction and sets their sequences. For security, it runs only statements
 * that equal those that a backup of these tables would contain.
 *
 * @param contents result of `verifyBackup`
 * @throws StartupError if the file has changed since, or has other tables
 */
export async function loadRows(
  client: ClientBase,
  file: string,
  contents: Contents,
  { scope, onProgress, signal }: LoadOptions,
): Promise<void> {
  const missing = new Map((await listTables(client, scope)).map((table) => [copyLine(table), table]))
  const sequences = await listSequences(client, scope)
  const reader = {
    async table(line: string, rows: AsyncIterable<Buffer>) {
      const table = missing.get(line)
      if (!table) throw damaged(file, 'a table does not match its migrations')
      missing.delete(line)
      await copyInto(client, table, rows)
      onProgress(`${table.name}: ${(contents.rows[table.name] ?? 0).toLocaleString('en-US')} rows`)
    },
    async sequence(line: string) {
      if (!isIncluded(sequences, line)) throw damaged(file, 'it has an unexpected line')
      await client.query(line)
    },
  }
  const { sha256 } = await readBackup(file, reader, signal)
  if (sha256 !== contents.sha256) throw damaged(file, 'it was changed while it was read')
  const [absent] = missing.values()
  if (absent) throw damaged(file, `the table ${absent.name} is missing`)
}

const copyLine = ({ copy }: Table) => `${copy} from stdin;`

/** Disables the user triggers, which ran when the rows were created. Foreign keys are still checked. */
async function copyInto(
  client: ClientBase,
  { sql, copy }: Table,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  await client.query(`alter table ${sql} disable trigger user`)
  await pipeline(rows, client.query(copyFrom(`${copy} from stdin`)))
  await client.query(`alter table ${sql} enable trigger user`)
}

function isIncluded(sequences: Sequence[], line: string): boolean {
  const [, lastValue, called] = /, (\d{1,19}), (true|false)\);$/.exec(line) ?? []
  if (!lastValue) return false
  return sequences.some(({ sql }) => line === setSequence({ sql, lastValue, isCalled: called === 'true' }))
}
