import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free port. It is below the ports for outgoing connections, so that none of them takes it in the meantime.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(30_000, 32_768)
    const server = createServer().listen(port, 'localhost')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return port
  }
}
