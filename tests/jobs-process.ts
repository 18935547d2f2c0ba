/** A process that claims the job `work` on the database of its first argument, prints `running` and never finishes. */
import { createDatabase } from '../server/platform/database/database.ts'
import { startJobs } from '../server/platform/jobs.ts'

const [url = '', leaseMs] = process.argv.slice(2)
const { db } = createDatabase(url, { poolSize: 1 })
const run = () => {
  process.stdout.write('running\n')
  return Promise.withResolvers<void>().promise
}
startJobs(db, [{ name: 'work', intervalMs: 10, run }], console, { leaseMs: Number(leaseMs) })
setInterval(() => undefined, 60_000)
