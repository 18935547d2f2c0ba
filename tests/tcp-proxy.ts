import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Swallows all that is sent, in both directions, and takes new connections without a word: a frozen server. */
  freeze(): void
  /** Goes on with what was held back. */
  thaw(): void
  /** Ends all connections and refuses new ones: a server that was stopped. */
  close(): Promise<void>
  /** Listens again, on the same port, if it was closed. */
  reopen(): Promise<void>
}

/** Stands between the shop and a server, so that a test can take the server away without touching it. */
export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  let server: Server

  function join(near: Socket): void {
    const far = connect(target)
    for (const [socket, opposite] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      if (isFrozen) socket.pause()
      socket.on('data', (bytes) => opposite.write(bytes))
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        opposite.destroy()
      })
      if (isFrozen) socket.pause()
    }
  }

  async function listen(port: number): Promise<number> {
    server = createServer(join).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  const port = await listen(0)
  return {
    port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async reopen() {
      if (!server.listening) await listen(port)
    },
  }
}
