import { connectDatabase, migrateShop } from '../open-database.ts'
import { runCommand } from './run-command.ts'

/** `npm run migrate`: applies pending migrations before the first process of a new version starts. */
await runCommand(process.env, async ({ config, log, cleanup }) => {
  const database = await connectDatabase(config, log, cleanup)
  const names = await migrateShop(database, (message) => void process.stdout.write(`${message}\n`))
  process.stdout.write(names.length > 0 ? `Applied ${names.join(', ')}.\n` : 'The database is up to date.\n')
})
