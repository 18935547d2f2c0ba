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

/** Runs `.ci/run` in another folder, with a fake npm that prints its folder, arguments and input. */
function run(exitCode: number): { status: number | null; stdout: string } {
  const npm = path.join(folder, 'npm')
  writeFileSync(npm, `#!/bin/sh\necho "npm $* in $(pwd)"\ncat\nexit ${exitCode}\n`)
  chmodSync(npm, 0o755)
  const env = { CI: 'true', PATH: `${folder}:${process.env.PATH}` }
  return spawnSync(ciRun, { cwd: folder, env, input: 'typed text', encoding: 'utf8' })
}

test('.ci/run runs npm test in the project without input', () => {
  const project = path.join(import.meta.dirname, '..')
  expect(run(0)).toMatchObject({ status: 0, stdout: `npm test in ${project}\n` })
})

test('.ci/run fails when npm test fails', () => {
  expect(run(3).status).toBe(3)
})
