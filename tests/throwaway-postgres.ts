/**
 * A process of its own that keeps a Postgres for the tests, prints its address, and ends it and its data as soon as
 * its input ends: that happens however the tests end, by Ctrl-C or a kill as well.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'shop-tests-'))
const server = await openEmbeddedPostgres({ dataDir, database: 'test', durable: false })
process.stdout.write(`${server.url}\n`)

process.stdin.resume()
await once(process.stdin, 'close')
await server.stop()
for (const folder of [server.folder, dataDir]) rmSync(folder, { recursive: true, force: true })
