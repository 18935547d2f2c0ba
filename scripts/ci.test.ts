import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const ciRun = path.join(import.meta.dirname, '../.ci/run')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ci-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs it, from anywhere, with an npm that says where and how it was called, reads its input, and ends so. */
function run(end: number): { status: number | null; stdout: string } {
  const npm = path.join(folder, 'npm')
  writeFileSync(npm, `#!/bin/sh\necho "npm $* in $(pwd)"\ncat\nexit ${end}\n`)
  chmodSync(npm, 0o755)
  const env = { CI: 'true', PATH: `${folder}:${process.env.PATH}` }
  return spawnSync(ciRun, { cwd: folder, env, input: 'somebody types', encoding: 'utf8' })
}

test('.ci/run runs npm test in the project without input', () => {
  const project = path.join(import.meta.dirname, '..')
  expect(run(0)).toMatchObject({ status: 0, stdout: `npm test in ${project}\n` })
})

test('.ci/run fails when npm test fails', () => {
  expect(run(3).status).toBe(3)
})
