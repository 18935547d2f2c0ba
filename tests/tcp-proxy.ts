import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Holds back all data in both directions, but accepts connections, like a frozen server. */
  freeze(): void
  /** Forwards the held data and all further data. */
  thaw(): void
  /** Closes all connections and refuses new ones, like a stopped server. */
  close(): Promise<void>
  /** Listens again on the same port after `close`. */
  reopen(): Promise<void>
  /** Closes all connections and forwards new ones to another server, like a load balancer after a failover. */
  redirect(target: Target): void
  /** Runs before data of a client is forwarded, with the port from which the server gets it. */
  beforeForwarding: (bytes: Buffer, port: number | undefined) => Promise<void> | undefined
}

interface Target {
  host: string
  port: number
}

/** Opens a proxy in front of a server, which simulates failures of that server. */
export async function openTcpProxy(first: Target): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let target = first
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
      socket.on('data', (bytes: Buffer) => {
        const waiting = socket === near ? proxy.beforeForwarding(bytes, far.localPort) : undefined
        if (!waiting) return void opposite.write(bytes)
        socket.pause()
        void waiting.finally(() => {
          opposite.write(bytes)
          if (!isFrozen) socket.resume()
        })
      })
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

  const proxy: TcpProxy = {
    port: await listen(0),
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
      if (!server.listening) await listen(proxy.port)
    },
    redirect(next) {
      target = next
      for (const socket of sockets) socket.destroy()
    },
    beforeForwarding: () => undefined,
  }
  return proxy
}
