/** An error that the user can fix: printed without a stack. The message is empty if it is already printed. */
export class Failure extends Error {}

/** @param {string} message */
export function print(message) {
  process.stdout.write(`${message}\n`)
}

/**
 * Prints what begins, and how long it took.
 * @param {string} what
 * @param {() => Promise<void>} work
 */
export async function timed(what, work) {
  print(`${what} …`)
  const began = Date.now()
  await work()
  print(`  done in ${Math.round((Date.now() - began) / 1000)} s`)
}
