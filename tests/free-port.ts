import { createServer } from 'node:net'

/** A port that no one uses at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const url = server.address()
      const port = url && typeof url === 'object' ? url.port : null
      server.close(() => (port === null ? reject(new Error('no port is free')) : resolve(port)))
    })
  })
}
