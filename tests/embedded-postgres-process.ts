/** Child process: opens the embedded Postgres on a data folder, prints its URL, and stops on SIGTERM. */
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres/embedded-postgres.ts'

const [dataDir = '', kind] = process.argv.slice(2)
const server = await openEmbeddedPostgres({ dataDir, database: 'shop', durable: kind === 'durable' })
process.stdout.write(`${JSON.stringify({ how: server.how, url: server.url, folder: server.folder })}\n`)

process.once('SIGTERM', () => {
  void server.stop().then((end) => {
    process.stdout.write(`${JSON.stringify({ end })}\n`)
    process.exit(0)
  })
})
