/** An error that the user can fix: printed without a stack. The message is empty if it is already printed. */
export class Failure extends Error {}

/** @param {string} message */
export function print(message) {
  process.stdout.write(`${message}\n`)
}

/**
 * Prints a message at the start, and the duration at the end.
 * @param {string} message
 * @param {() => Promise<void>} work
 */
export async function timed(message, work) {
  print(`${message} …`)
  const began = Date.now()
  await work()
  print(`  done in ${Math.round((Date.now() - began) / 1000)} s`)
}
