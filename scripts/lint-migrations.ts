import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readChecksums, readMigrations } from '../server/platform/database/migrations.ts'

const folder = 'db/migrations'
/** One line for each landed file, as `sha256sum` writes it. A line is never changed. */
const list = path.join(folder, 'checksums.txt')
const files = readMigrations(folder)

if (process.argv[2] === '--add') addChecksums()
else {
  const mistakes = findMistakes()
  for (const mistake of mistakes) process.stderr.write(`${mistake}\n`)
  process.exitCode = mistakes.length > 0 ? 1 : lint()
}

/** Adds the lines of new files. The lines of landed files stay as they are. */
function addChecksums(): void {
  const landed = readChecksums(folder)
  const added = files.filter(({ name }) => !landed.has(name))
  for (const { name, checksum } of added) appendFileSync(list, `${checksum}  ${name}\n`)
  process.stdout.write(`Added ${added.length} to ${list}.\n`)
}

/** A landed file must never change, because a database or a backup may contain its result. */
function findMistakes(): string[] {
  const landed = readChecksums(folder)
  const checksums = new Map(files.map(({ name, checksum }) => [name, checksum]))
  const unlisted = files.filter(({ name }) => !landed.has(name))
  const changed = [...landed].filter(([name, checksum]) => checksums.get(name) !== checksum)
  return [
    ...unlisted.map(({ name }) => `${name} is not in ${list}. Run: node scripts/lint-migrations.ts --add`),
    ...changed.map(([name]) =>
      checksums.has(name)
        ? `${name} was changed after it landed. Restore it, and make the change in a new file.`
        : `${name} has landed, and is missing. Restore it.`,
    ),
  ]
}

/** Returns the exit code. */
function lint(): number {
  // A baseline runs only in an empty database.
  const paths = files
    .filter(({ worksWith, replaces }) => worksWith !== null && replaces.size === 0)
    .map(({ name }) => path.posix.join(folder, name))
  if (paths.length === 0) return 0
  const squawk = findSquawk()
  if (squawk !== null) return spawnSync(squawk, paths, { stdio: 'inherit' }).status ?? 1
  process.stdout.write('The migrations were not linted: squawk-cli is not installed for this system.\n')
  return 0
}

/** Returns the path of the program, which is in a package for each system; null if that is missing. */
function findSquawk(): string | null {
  const { resolve } = createRequire(import.meta.url)
  try {
    return resolve(`@squawk-cli/${process.platform}-${process.arch}/bin/squawk`)
  } catch {
    return null
  }
}
