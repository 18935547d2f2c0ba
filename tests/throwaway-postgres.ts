/**
 * Child process: runs a Postgres for the tests and prints its URL. Stops it and deletes its data when stdin closes,
 * which also happens if the tests are killed.
 */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { readPassword, SUPERUSER } from '../server/platform/embedded-postgres/cluster.ts'
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres/embedded-postgres.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'shop-tests-'))
// The account of Postgres may enter it.
chmodSync(dataDir, 0o711)
const server = await openEmbeddedPostgres({ dataDir, database: 'test', durable: false })
await allowEmptying()
process.stdout.write(`${server.url}\n`)

process.stdin.resume()
await once(process.stdin, 'close')
await server.stop()
for (const folder of [server.folder, dataDir]) rmSync(folder, { recursive: true, force: true })

/** `tests/database.ts` deletes rows without triggers. */
async function allowEmptying(): Promise<void> {
  const url = new URL(server.url)
  url.username = SUPERUSER
  url.password = readPassword(server.folder)
  const superuser = new Client(url.href)
  await superuser.connect()
  await superuser.query('grant set on parameter session_replication_role to test')
  await superuser.end()
}
