import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '../server/open-database.ts'
import { requireWritableFolder } from '../server/platform/data-folder.ts'
import { createDatabase } from '../server/platform/database/database.ts'
import { migrate } from '../server/platform/database/migrations.ts'
import { openServerFolder } from '../server/platform/embedded-postgres/server-folder.ts'
import { makeEmbeddedPostgresFolder } from './embedded-postgres-folder.ts'

let made: Promise<string> | undefined

/**
 * Fills the new data folder of a shop with a stopped, migrated and empty database. It is a copy, because creating and
 * migrating a database takes longer than most checks of a started shop. The first start is tested in `commands.test.ts`.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  made ??= makeDatabase()
  copyDatabase(await made, dataDir)
}

/** Copies the folder of a stopped database server into a new data folder. */
export function copyDatabase(serverFolder: string, dataDir: string): void {
  requireWritableFolder(dataDir)
  execFileSync('cp', ['-a', `${serverFolder}/.`, openServerFolder(dataDir).folder])
}

/** Returns the folder of the database server, which is deleted when this process ends. */
async function makeDatabase(): Promise<string> {
  const { dataDir, open } = makeEmbeddedPostgresFolder()
  const server = await open()
  process.once('exit', () => {
    rmSync(server.folder, { recursive: true }) // Not always within the data folder.
    rmSync(path.join(dataDir, '../..'), { recursive: true })
  })
  const database = createDatabase(server.url, { poolSize: 2 })
  await migrate(database, migrations)
  await database.close()
  await server.stop()
  return server.folder
}
