import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { install, isInstalled, requireMatchingLockfile } from './install.mjs'
import { runNpm } from './npm.mjs'
import { Failure, runOnce } from './steps.mjs'

const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)))

/**
 * Runs the missing steps. On failure, prints one sentence and sets the exit code 1.
 * @param {string[]} tasks `build`, `browser`
 */
export async function prepare(tasks) {
  try {
    requireMatchingLockfile(root)
    await runOnce(root, isInstalled, install)
    if (tasks.includes('build')) await runOnce(root, isBuilt, build)
    if (tasks.includes('browser')) await runNpm(root, ['run', '--silent', 'install-browser'], { shown: true })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.message) process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
