import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readMigrations } from '../server/platform/migrations.ts'

const folder = 'db/migrations'
// Older files do not declare a version that works with them, so that none runs beside another version.
const files = readMigrations(folder)
  .filter(({ worksWith }) => worksWith !== null)
  .map(({ name }) => path.posix.join(folder, name))

const squawk = findSquawk()
if (squawk === null) {
  process.stdout.write('The migrations were not linted: squawk-cli is not installed for this system.\n')
} else if (files.length > 0) {
  process.exitCode = spawnSync(squawk, files, { stdio: 'inherit' }).status ?? 1
}

/** Returns the path of the program, which is in a package for each system; null if that is missing. */
function findSquawk(): string | null {
  const program = process.platform === 'win32' ? 'squawk.exe' : 'squawk'
  const { resolve } = createRequire(import.meta.url)
  try {
    return resolve(`@squawk-cli/${process.platform}-${process.arch}/bin/${program}`)
  } catch {
    return null
  }
}
