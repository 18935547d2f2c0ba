import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import { project } from '../shop-process.ts'
import type { Check, Finding } from './check.ts'
import { cleanup } from './cleanup.ts'

const Report = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) }),
  ),
})

/** The second step after a sign-in with a password, and with Google, is tested in its module. */
const tests = ['tests/access', 'server/modules/customers/two-step']

/** Every call by every kind of caller. Only the full size runs these tests; `npm test` includes it anyway. */
export const access: Check = {
  name: 'access',
  async run(size) {
    if (size === 'small') {
      const figure = { what: 'calls times callers', measured: 'among the unit tests' }
      return { figures: [figure], violations: [] }
    }
    return toFinding(await runTests())
  },
}

async function runTests(): Promise<z.infer<typeof Report>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'harden-access-'))
  cleanup.add(async () => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'report.json')
  const vitest = path.join(project, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', ...tests, '--reporter=json', `--outputFile=${file}`]
  // A failed test makes vitest exit with an error; the report lists it.
  const run = promisify(execFile)(process.execPath, args, { cwd: project, encoding: 'utf8' })
  const failure = await run.then(() => null, String)
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new Error(`the access tests gave no report: ${failure}`, { cause: error })
  }
}

function toFinding(report: z.infer<typeof Report>): Finding {
  const cells = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const violations = cells
    .filter(({ status }) => status !== 'passed')
    .map(({ fullName }) => `${fullName} failed`)
  if (cells.length === 0) violations.push('no cell was tested')
  return { figures: [{ what: 'calls times callers', measured: `${cells.length} cells` }], violations }
}
