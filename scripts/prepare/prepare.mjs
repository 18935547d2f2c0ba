import { fileURLToPath } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { install, isInstalled, provideExec, requireMatchingLockfile } from './install.mjs'
import { withLock } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { Failure, print } from './print.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/**
 * Runs the missing steps. On failure, prints one sentence and sets the exit code 1.
 * @param {string[]} tasks `build`, `browser`
 */
export async function prepare(tasks) {
  try {
    requireMatchingLockfile(root)
    await runOnce(
      () => isInstalled(root),
      () => install(root),
    )
    provideExec(root)
    if (tasks.includes('build'))
      await runOnce(
        () => isBuilt(root),
        () => build(root),
      )
    if (tasks.includes('browser')) await runNpm(root, ['run', '--silent', 'install-browser'], { shown: true })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.message) process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Runs `work` under a lock, so that concurrent starts of a checkout do not both install or build. */
async function runOnce(isDone, work) {
  if (isDone()) return
  await withLock(
    root,
    () => print('Waiting for another command that is preparing this checkout.'),
    async () => {
      if (!isDone()) await work()
    },
  )
}
