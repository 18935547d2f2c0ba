import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { runNpm } from './npm.mjs'
import { Failure, timed } from './steps.mjs'

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies']

/**
 * Returns whether node_modules matches package-lock.json, by npm's record of the install.
 * @param {string} root
 */
export function isInstalled(root) {
  const record = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = readPackages(path.join(root, 'package-lock.json'))
  const found = readPackages(record)
  const { '': project, ...packages } = wanted
  return (
    Object.keys(found).every((name) => name in packages && existsSync(path.join(root, name))) &&
    Object.entries(packages).every(([name, { version, integrity, ...entry }]) =>
      found[name]
        ? found[name].version === version && found[name].integrity === integrity
        : mayBeAbsent(name, entry, project),
    )
  )
}

/**
 * Installs from the lockfile, including build dependencies, for any NODE_ENV.
 * @param {string} root
 */
export async function install(root) {
  await timed('Installing the packages; this takes a minute or two', () =>
    runNpm(root, [
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]),
  )
  if (!isInstalled(root)) {
    throw new Failure(
      'npm did not install all packages for this machine, as it does when a download fails. Check the connection, delete node_modules, then try again.',
    )
  }
}

/**
 * @param {string} root
 * @throws {Failure} if package.json was changed and package-lock.json was not
 */
export function requireMatchingLockfile(root) {
  const project = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const locked = readPackages(path.join(root, 'package-lock.json'))['']
  if (!kinds.every((kind) => isDeepStrictEqual(project[kind] ?? {}, locked[kind] ?? {}))) {
    throw new Failure('package.json does not match package-lock.json. Run npm install.')
  }
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/** Optional packages may be for other systems. The project's own must be present if they fit this system. */
function mayBeAbsent(name, { optional, devOptional, os, cpu }, project) {
  if (!optional && !devOptional) return false
  const isDirect = name.replace('node_modules/', '') in (project.optionalDependencies ?? {})
  return !(isDirect && fits(os, process.platform) && fits(cpu, process.arch))
}

function fits(allowed, ours) {
  return allowed === undefined || [allowed].flat().includes(ours)
}
