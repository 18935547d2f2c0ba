import { fileURLToPath } from 'node:url'
import { build, isBuilt } from './build.mjs'
import { install, isInstalled, provideExec, requireAgreement } from './install.mjs'
import { alone } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { Failure, print } from './print.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/**
 * Does what is not done yet, and ends the process with 1 and one plain sentence where it can't.
 * @param {string[]} wishes `build`, `browser`
 */
export async function prepare(wishes) {
  try {
    requireAgreement(root)
    await once(
      () => isInstalled(root),
      () => install(root),
    )
    provideExec(root)
    if (wishes.includes('build'))
      await once(
        () => isBuilt(root),
        () => build(root),
      )
    if (wishes.includes('browser'))
      await runNpm(root, ['run', '--silent', 'install-browser'], { shown: true })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.message) process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

/** Two starts of one checkout at once must not install or build into each other. */
async function once(isDone, work) {
  if (isDone()) return
  await alone(
    root,
    () => print('Waiting for another command that is preparing this checkout.'),
    async () => {
      if (!isDone()) await work()
    },
  )
}
