/** What a person can do something about: shown without a stack. An empty message: all is said already. */
export class Failure extends Error {}

/** @param {string} message */
export function print(message) {
  process.stdout.write(`${message}\n`)
}

/**
 * Says what begins, and how long it took.
 * @param {string} what
 * @param {() => Promise<void>} work
 */
export async function timed(what, work) {
  print(`${what} …`)
  const began = Date.now()
  await work()
  print(`  done in ${Math.round((Date.now() - began) / 1000)} s`)
}
