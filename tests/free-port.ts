import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free port. It is below the ports for outgoing connections, so that none of them takes it in the meantime. A UDP
 * socket with its number reserves it until this process ends: servers leave it free while they start, or start again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(30_000, 32_768)
    const reservation = createSocket('udp4').unref()
    const isReserved = await succeeds(
      once(reservation.bind({ port, address: '127.0.0.1', exclusive: true }), 'listening'),
    )
    if (isReserved && (await isFree(port))) return port
    reservation.close()
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, 'localhost')
  const isListening = await succeeds(once(server, 'listening'))
  server.close()
  return isListening
}

const succeeds = (step: Promise<unknown>): Promise<boolean> =>
  step.then(
    () => true,
    () => false,
  )
