import path from 'node:path'
import { parseArgs } from 'node:util'
import * as customers from '../modules/customers/service.ts'
import { connectDatabase, loadSecrets, migrations } from '../open-database.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { setGuards } from '../platform/database/session-guards.ts'
import { backupTables } from './backup-tables.ts'
import { readArguments, runCommand } from './run-command.ts'
import { printUnreadableLogins } from './unreadable-logins.ts'

const usage = 'Usage: npm run restore -- <file> [--replace]. --replace deletes the current data.'

/** `npm run restore -- <file> [--replace]`: replaces all data of the shop by a backup, in one transaction. */
await runCommand(async ({ config, log, cleanup, signal, print }) => {
  const { file, replace } = readArguments(usage, parse)
  const { db, pool } = await connectDatabase(config, log, cleanup)
  const { takenAt, rows } = await restoreBackup(pool, file, {
    scope: backupTables,
    migrations,
    replace,
    async finish(db) {
      await customers.voidAllTokens(db)
      await customers.revokeOpenInvitations(db)
    },
    onProgress: print,
    signal,
  })
  await setGuards({ db, pool })
  process.stdout.write(
    `Restored the backup of ${takenAt} (${rows.toLocaleString('en-US')} rows). All users must log in again.\n`,
  )
  // A restore needs no secret. The one in the data folder belongs to the embedded database.
  if (config.secret !== null || config.databaseUrl === null) {
    await printUnreadableLogins(db, loadSecrets(config))
  }
  const { store, s3 } = config.pictures
  if (store === 's3') {
    process.stdout.write(`Uploaded pictures are not in it. They must be in the bucket ${s3?.bucket}.\n`)
  }
})

function parse() {
  const { values, positionals } = parseArgs({
    options: { replace: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [file, ...more] = positionals
  return file && more.length === 0 ? { file: path.resolve(file), replace: values.replace } : null
}
