import { createHash } from 'node:crypto'
import { connect, createServer } from 'node:net'

const FIRST_PORT = 20_000
const PORTS = 10_000
const HOST = '127.0.0.1'

/**
 * Runs `work` under a lock for the key. The lock is a listening port: the system releases it when its process ends,
 * so it cannot be stale.
 * @param {string} key
 * @param {() => void} onWait called once, if it must wait
 * @param {() => Promise<void>} work
 */
export async function withLock(key, onWait, work) {
  let port = FIRST_PORT + (createHash('sha256').update(key).digest().readUInt32BE() % PORTS)
  let hasWaited = false
  let failedAttempts = 0
  for (;;) {
    const release = await listen(port, key)
    if (release) return work().finally(release)
    const holder = await askHolder(port)
    if (holder.key === key) {
      if (!hasWaited) onWait()
      hasWaited = true
      await holder.ended
    } else if (holder.key === undefined && failedAttempts < 5) {
      failedAttempts += 1 // The holder has probably just ended.
    } else {
      port += 1 // Another program uses this port.
      failedAttempts = 0
    }
  }
}

/** @returns {Promise<(() => void) | null>} null if the port is taken */
function listen(port, key) {
  return new Promise((resolve, reject) => {
    const waiting = new Set()
    const server = createServer((socket) => {
      waiting.add(socket)
      socket.on('error', () => waiting.delete(socket))
      socket.write(`${key}\n`)
    })
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)))
    server.listen({ port, host: HOST, exclusive: true }, () =>
      resolve(() => {
        server.close()
        for (const socket of waiting) socket.destroy()
      }),
    )
  })
}

/**
 * Returns the key that the holder of the port sends, or undefined if it sends none. `ended` resolves when its
 * connection closes.
 * @returns {Promise<{ key: string | undefined, ended: Promise<void> }>}
 */
function askHolder(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST })
    const ended = new Promise((end) => {
      socket.once('close', end)
    })
    const timeout = setTimeout(() => socket.destroy(), 2_000)
    let received = ''
    socket.on('error', () => undefined) // 'close' follows.
    socket.on('data', (chunk) => {
      received += chunk
      if (received.includes('\n')) finish(received.split('\n')[0])
    })
    socket.once('close', () => finish(undefined))

    function finish(key) {
      clearTimeout(timeout)
      resolve({ key, ended })
    }
  })
}
