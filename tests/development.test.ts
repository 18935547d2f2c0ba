import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Child, startChild } from './child.ts'
import { removeEmbeddedPostgres } from './embedded-postgres-folder.ts'
import { freePort } from './free-port.ts'
import { project } from './shop-process.ts'

/** A copy of the checkout, whose files the test changes. */
let checkout: string
let child: Child | undefined

beforeEach(() => {
  checkout = mkdtempSync(path.join(tmpdir(), 'development-'))
  const parts = [
    'contract',
    'db',
    'sandboxes',
    'seed',
    'drawings',
    'server',
    'web',
    'scripts',
    'package.json',
    'package-lock.json',
  ]
  for (const part of [...parts, 'vite.config.ts', 'tsconfig.json']) {
    cpSync(path.join(project, part), path.join(checkout, part), { recursive: true })
  }
  symlinkSync(path.join(project, 'node_modules'), path.join(checkout, 'node_modules'))
})
afterEach(async () => {
  await child?.kill()
  await removeEmbeddedPostgres(path.join(checkout, '.data'))
  rmSync(checkout, { recursive: true })
})

function change(file: string, from: string, to: string): void {
  const text = readFileSync(path.join(checkout, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(path.join(checkout, file), text.replace(from, to))
}

test('npm run dev reloads changes of a page and of the server, and stops cleanly', async () => {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(await freePort()), DEMO: '0' }
  child = startChild('npm', ['run', 'dev'], { cwd: checkout, env, detached: true })
  await child.line(/Torque Yard is open/)
  const read = async (where: string) => (await fetch(`http://localhost:${env.PORT}${where}`)).text()
  expect(await read('/')).toContain('lang="en"')
  expect(await read('/healthz')).toContain('alive')

  change('web/document.ts', 'lang="en"', 'lang="en-GB"')
  await expect.poll(() => read('/')).toContain('lang="en-GB"')
  change('server/http/health.ts', "'alive'", "'awake'")
  await expect.poll(() => read('/healthz')).toContain('awake')

  child.signal('SIGTERM')
  await child.ended
  const pidFile = path.join(checkout, '.data/postgres/18/postmaster.pid')
  await vi.waitFor(() => expect(() => readFileSync(pidFile)).toThrow('ENOENT'), 60_000)
})
