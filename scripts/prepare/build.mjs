import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runNpm } from './npm.mjs'
import { timed } from './steps.mjs'

/** Sources of the built pages. */
const sources = [
  'contract',
  'drawings',
  'web',
  'scripts/import-helper.ts',
  'scripts/precompress.ts',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
]

/** The file with the fingerprint of the built sources. */
const toRecord = (root) => path.join(root, 'build', '.sources')

/**
 * Returns whether the build matches the current sources. Compares content, because git changes timestamps.
 * @param {string} root
 */
export function isBuilt(root) {
  const record = toRecord(root)
  return existsSync(record) && readFileSync(record, 'utf8') === fingerprint(root)
}

/** @param {string} root */
export async function build(root) {
  const record = toRecord(root)
  const built = fingerprint(root)
  rmSync(record, { force: true })
  await timed('Building the pages; this takes about ten seconds', () =>
    runNpm(root, ['run', '--silent', 'build'], { env: { NODE_ENV: 'production' } }),
  )
  writeFileSync(record, built)
}

function fingerprint(root) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => listFiles(root, source))) {
    const content = readFileSync(path.join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function listFiles(root, source) {
  const fullPath = path.join(root, source)
  if (!existsSync(fullPath)) return []
  if (statSync(fullPath).isFile()) return [source]
  return readdirSync(fullPath)
    .toSorted()
    .flatMap((name) => listFiles(root, `${source}/${name}`))
}
