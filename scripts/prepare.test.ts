import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Child, startChild } from '../tests/child.ts'

/** A fake npm: creates the folders of the lockfile's packages for this machine, and of the build. */
const npm = `#!${process.execPath}
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
const call = process.argv[2] === 'ci' ? 'ci' : process.argv.slice(2).join(' ')
appendFileSync('calls.log', call + '\\n')
if (existsSync('npm-fails')) {
  console.error('npm error: no space left on device')
  process.exit(1)
}
do await delay(150)
while (existsSync('npm-hangs'))
if (call === 'ci') {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const installed = Object.entries(packages).filter(([name, { os }]) => name && (!os || os === process.platform))
  rmSync('node_modules', { recursive: true, force: true })
  for (const [name] of installed) mkdirSync(name, { recursive: true })
  const recorded = existsSync('fetch-fails') ? installed.slice(1) : installed
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(recorded) }))
} else mkdirSync('build', { recursive: true })
appendFileSync('calls.log', 'done\\n')
`

let project: string
const children: Child[] = []

beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(tmpdir(), 'prepare-')))
  for (const folder of ['scripts', 'tools', 'web']) mkdirSync(path.join(project, folder))
  for (const name of ['prepare.mjs', 'prepare']) {
    cpSync(path.join(import.meta.dirname, name), path.join(project, 'scripts', name), { recursive: true })
  }
  write('tools/package.json', '{ "type": "module" }')
  write('tools/npm', npm)
  chmodSync(path.join(project, 'tools/npm'), 0o755)
  write('web/root.tsx', 'export const greeting = 1')
  lock({ react: '19.0.0' })
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()))
  rmSync(project, { recursive: true })
})

function write(name: string, text: string): void {
  writeFileSync(path.join(project, name), text)
}

/** Writes package.json and a matching lockfile, with optional packages for this and another system. */
function lock(dependencies: Record<string, string>): void {
  const optionalDependencies = { 'node-here': '26.0.0', 'node-elsewhere': '26.0.0' }
  write('package.json', JSON.stringify({ dependencies, optionalDependencies }))
  const packages = Object.entries(dependencies).map(([name, version]) => [
    `node_modules/${name}`,
    { version },
  ])
  const lockfile = {
    packages: {
      '': { dependencies, optionalDependencies },
      'node_modules/node-here': { version: '26.0.0', optional: true, os: process.platform },
      'node_modules/node-elsewhere': { version: '26.0.0', optional: true, os: 'plan9' },
      ...Object.fromEntries(packages),
    },
  }
  write('package-lock.json', JSON.stringify(lockfile))
}

/** Starts the script as npm does. */
function begin(...tasks: string[]): Child {
  const { npm_execpath: _, ...env } = process.env
  const child = startChild(process.execPath, ['scripts/prepare.mjs', ...tasks], {
    cwd: project,
    env: { ...env, PATH: `${path.join(project, 'tools')}${path.delimiter}${process.env.PATH}` },
  })
  children.push(child)
  return child
}

/** Runs the script to its end. */
async function prepare(...tasks: string[]): Promise<{ code: Awaited<Child['ended']>; printed: string }> {
  const child = begin(...tasks)
  return { code: await child.ended, printed: child.printed() }
}

/** Returns and clears the log of npm calls. */
function calls(): string[] {
  const log = path.join(project, 'calls.log')
  const lines = readFileSync(log, { encoding: 'utf8', flag: 'a+' }).split('\n').filter(Boolean)
  rmSync(log)
  return lines
}

test('installs once from the lockfile, and prints one line', async () => {
  expect(await prepare()).toEqual({
    code: 0,
    printed: expect.stringMatching(
      /^Installing the packages; this takes a minute or two …\n {2}done in \d+ s$/,
    ),
  })
  expect(calls()).toEqual(['ci', 'done'])
  expect(await prepare()).toEqual({ code: 0, printed: '' })
  expect(calls()).toEqual([])
})

test.each([
  ['the lockfile has another version', () => lock({ react: '19.0.1' })],
  ['the lockfile has one package more', () => lock({ react: '19.0.0', zod: '4.0.0' })],
  ['the lockfile has one package less', () => lock({})],
  ['a package was deleted', () => rmSync(path.join(project, 'node_modules/react'), { recursive: true })],
  ['an install was cut short', () => rmSync(path.join(project, 'node_modules/.package-lock.json'))],
])('installs again when %s', async (_, change) => {
  await prepare()
  calls()
  change()
  expect((await prepare()).code).toBe(0)
  expect(calls()).toEqual(['ci', 'done'])
})

test('builds once on request, and again if a source has changed', async () => {
  await prepare('build')
  expect(calls()).toEqual(['ci', 'done', 'run --silent build', 'done'])
  await prepare('build')
  expect(calls()).toEqual([])
  write('web/root.tsx', 'export const greeting = 2')
  expect((await prepare('build')).printed).toMatch(/^Building the pages; this takes about ten seconds …/)
  expect(calls()).toEqual(['run --silent build', 'done'])
})

test('the sources of the build include the scripts that vite.config.ts imports', () => {
  const read = (name: string) => readFileSync(path.join(import.meta.dirname, name), 'utf8')
  const imported = Array.from(read('../vite.config.ts').matchAll(/ from '\.\/(.+)'/g), ([, file]) => file)
  expect(imported).not.toEqual([])
  const sources = read('prepare/build.mjs')
  expect(imported.filter((file) => !sources.includes(`'${file}'`))).toEqual([])
})

test('builds again after a failed build, even if nothing has changed', async () => {
  await prepare('build')
  write('web/root.tsx', 'export const greeting = 2')
  write('npm-fails', '')
  expect((await prepare('build')).code).toBe(1)
  rmSync(path.join(project, 'npm-fails'))
  calls()
  write('web/root.tsx', 'export const greeting = 1')
  expect((await prepare('build')).code).toBe(0)
  expect(calls()).toEqual(['run --silent build', 'done'])
})

test('three concurrent starts install and build once', async () => {
  const ends = await Promise.all([prepare('build'), prepare('build'), prepare('build')])
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(calls()).toEqual(['ci', 'done', 'run --silent build', 'done'])
})

test('a start waits for another one, and continues when that one is killed', async () => {
  write('npm-hangs', '')
  const first = begin()
  await first.line(/Installing the packages/)
  const second = begin()
  await second.line(
    /^Port \d+ is in use, probably by another command that is preparing this checkout\. Waiting for it\./,
  )
  rmSync(path.join(project, 'npm-hangs'))
  await first.kill()
  expect(await second.ended).toBe(0)
  expect(calls()).toContain('done')
})

test('prints the output of npm if it fails, and fails', async () => {
  write('npm-fails', '')
  const { code, printed } = await prepare()
  expect(code).toBe(1)
  expect(printed).toMatch(/npm error: no space left on device\nnpm ci .*failed\. Its output is above\.$/)
})

test('fails if npm has not installed the packages for this machine', async () => {
  write('fetch-fails', '')
  const { code, printed } = await prepare()
  expect(code).toBe(1)
  expect(printed).toContain('npm did not install all packages for this machine')
})

test('reports a package.json that does not match the lockfile', async () => {
  write('package.json', JSON.stringify({ dependencies: { react: '20.0.0' } }))
  expect(await prepare()).toEqual({
    code: 1,
    printed: 'package.json does not match package-lock.json. Run npm install.',
  })
  expect(calls()).toEqual([])
})

test('installs a browser on request', async () => {
  await prepare('browser')
  expect(calls()).toEqual(['ci', 'done', 'run --silent install-browser', 'done'])
})

test('reports an old version of Node in one line', async () => {
  const fakeVersion = 'Object.defineProperty(process.versions, "node", { value: "18.20.4" })'
  write('old.mjs', `${fakeVersion}; Object.defineProperty(process, 'version', { value: 'v18.20.4' })`)
  const entry = path.join(project, 'scripts/prepare.mjs')
  const child = startChild(process.execPath, ['--import', './old.mjs', entry], { cwd: project })
  expect(await child.ended).toBe(1)
  expect(child.printed()).toBe(
    'Node 20 or newer is required, but this is v18.20.4. Install it from https://nodejs.org.',
  )
})
