import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'browser-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs the search with a browser named by CHROME_PATH. */
function search(chromePath: string): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'browser.ts')],
    {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, CHROME_PATH: chromePath },
      encoding: 'utf8',
    },
  )
  return { status, printed: stdout + stderr }
}

function writeProgram(exitCode: number): string {
  const program = path.join(folder, 'chromium')
  writeFileSync(program, `#!/bin/sh\nexit ${exitCode}\n`)
  chmodSync(program, 0o755)
  return program
}

test('uses the browser of CHROME_PATH', () => {
  expect(search(writeProgram(0))).toEqual({ status: 0, printed: '' })
})

test('reports a CHROME_PATH that does not start, and installs nothing', () => {
  const program = writeProgram(1)
  const message = `CHROME_PATH is ${program}, which does not start. Correct or remove it.\n`
  expect(search(program)).toEqual({ status: 1, printed: message })
})
