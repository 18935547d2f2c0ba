import path from 'node:path'
import { connectDatabase } from '../open-database.ts'
import { writeBackup } from '../platform/backup/write.ts'
import { backupTables } from './backup-tables.ts'
import { runCommand } from './run-command.ts'

/** `npm run backup [file]`: writes the shop into one file. The shop can stay online. */
await runCommand(async ({ config, log, cleanup, signal, print }) => {
  const file = path.resolve(process.argv[2] ?? path.join(config.dataDir, 'backups', defaultName(new Date())))
  const { pool } = await connectDatabase(config, log, cleanup)
  const { rows, bytes } = await writeBackup(pool, file, { scope: backupTables, onProgress: print, signal })
  const figures = `${rows.toLocaleString('en-US')} rows, ${bytes.toLocaleString('en-US')} bytes`
  process.stdout.write(
    `Backup written to ${file} (${figures}). It contains personal data. Store it securely.\n`,
  )
  const { store, s3 } = config.pictures
  if (store === 's3') {
    process.stdout.write(`Uploaded pictures are not in it. Back up the bucket ${s3?.bucket} too.\n`)
  }
})

/** Returns a name such as `torque-yard-2026-11-21T140509Z.backup`. */
function defaultName(now: Date): string {
  return `torque-yard-${now.toISOString().replaceAll(':', '').replace(/\.\d+/, '')}.backup`
}
