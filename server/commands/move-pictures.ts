import { parseArgs } from 'node:util'
import { movePictures } from '../modules/pictures/move.ts'
import { openPostgresStore, openS3Store } from '../modules/pictures/service.ts'
import { connectDatabase } from '../open-database.ts'
import { StartupError } from '../platform/errors.ts'
import { readArguments, runCommand } from './run-command.ts'

const usage =
  'Usage: npm run move-pictures -- --to s3|postgres [--remove-source]. --remove-source deletes each picture from the old place after its copy was compared.'

/** `npm run move-pictures -- --to s3|postgres`: copies uploaded pictures between the database and a bucket. */
await runCommand(async ({ config, log, cleanup, signal, print }) => {
  const { to, removeSource } = readArguments(usage, parse)
  const { s3 } = config.pictures
  if (!s3) {
    throw new StartupError(
      'move-pictures requires S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY. Set them.',
    )
  }
  if (removeSource && config.pictures.store !== to) {
    throw new StartupError(
      `--remove-source requires PICTURES=${to}: set it, restart the shop, then run the command again.`,
    )
  }
  const { db } = await connectDatabase(config, log, cleanup)
  const stores = { postgres: openPostgresStore(db), s3: openS3Store(s3, log) }
  const from = to === 's3' ? stores.postgres : stores.s3
  const result = await movePictures({ db, from, to: stores[to], removeSource, signal, onProgress: print })
  const figures = `${result.pictures} pictures, ${result.copiedFiles} files copied`
  for (const hash of result.incomplete) process.stderr.write(`Picture ${hash} has missing files.\n`)
  if (signal.aborted) {
    process.stderr.write(`Interrupted after ${figures}. Run the command again to continue.\n`)
    process.exitCode = 1
  } else if (result.incomplete.length > 0) {
    process.stderr.write(
      `Compared ${figures}. Upload the pictures with missing files again, or restore the files, then run the command again.\n`,
    )
    process.exitCode = 1
  } else {
    const next = removeSource ? 'The old copies are deleted.' : `Now set PICTURES=${to} and restart the shop.`
    process.stdout.write(`Compared ${figures}. ${next}\n`)
  }
})

function parse(): { to: 's3' | 'postgres'; removeSource: boolean } | null {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, 'remove-source': { type: 'boolean', default: false } },
  })
  const { to, 'remove-source': removeSource } = values
  return to === 's3' || to === 'postgres' ? { to, removeSource } : null
}
