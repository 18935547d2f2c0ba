import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** An error that the user can fix: printed without a stack. The message is empty if it is already printed. */
export class Failure extends Error {}

const maxWaitMs = 15 * 60_000

/**
 * Runs a step of the preparation if it is not done. Concurrent starts of a checkout wait for a lock, so that only one
 * runs it. The lock is a listening port: the system releases it when its process ends, so it cannot be stale.
 * @param {string} root
 * @param {(root: string) => boolean} isDone
 * @param {(root: string) => Promise<void>} work
 */
export async function runOnce(root, isDone, work) {
  if (isDone(root)) return
  const port = 20_000 + (createHash('sha256').update(root).digest().readUInt32BE() % 10_000)
  const deadline = Date.now() + maxWaitMs
  let lock = await listen(port)
  const wait = `Port ${port} is in use, probably by another command that is preparing this checkout. Waiting for it.`
  if (!lock) process.stdout.write(`${wait}\n`)
  while (!lock) {
    if (Date.now() > deadline) throw new Failure(`Port ${port} is in use. End its program, then try again.`)
    await delay(200)
    lock = await listen(port)
  }
  try {
    if (!isDone(root)) await work(root)
  } finally {
    lock.close()
  }
}

/** Returns null if the port is in use. */
async function listen(port) {
  const server = createServer((socket) => socket.destroy())
  try {
    await once(server.listen({ port, host: '127.0.0.1', exclusive: true }), 'listening')
    return server
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
    return null
  }
}

/**
 * Prints a message at the start, and the duration at the end.
 * @param {string} message
 * @param {() => Promise<void>} work
 */
export async function timed(message, work) {
  process.stdout.write(`${message} …\n`)
  const began = Date.now()
  await work()
  process.stdout.write(`  done in ${Math.round((Date.now() - began) / 1000)} s\n`)
}
