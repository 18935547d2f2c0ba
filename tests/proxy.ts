import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../server/platform/errors.ts'
import { listen, stop } from './listen.ts'

export interface TcpProxy {
  port: number
  /** The URL of the first server with the address of the proxy. */
  url: string
  /** Holds back all data in both directions, but accepts connections, like a frozen server. */
  freeze(): void
  /** Forwards the held data and all further data. */
  thaw(): void
  /** Closes all connections and refuses new ones, like a stopped server. */
  close(): Promise<void>
  /** Listens again on the same port after `close`. */
  reopen(): Promise<void>
  /** Closes all connections and forwards new ones to another server, like a load balancer after a failover. */
  redirect(url: string): void
  /** Runs before data of a client is forwarded, with the port from which the server gets it. */
  beforeForwarding: (bytes: Buffer, port: number | undefined) => Promise<void> | undefined
}

/**
 * Opens a proxy that simulates failures of a server.
 *
 * @param urls URLs of servers, whose host and port are used. Each server gets a connection in turn.
 */
export async function openTcpProxy(...urls: [string, ...string[]]): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let targets = urls.map(toAddress)
  let count = 0
  let isFrozen = false
  let server: Server

  function join(near: Socket): void {
    const far = connect(targets[count++ % targets.length] ?? toAddress(urls[0]))
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

  async function listenAt(port: number): Promise<number> {
    server = createServer(join).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  const port = await listenAt(0)
  const proxy: TcpProxy = {
    port,
    url: Object.assign(new URL(urls[0]), { host: `127.0.0.1:${port}` }).href,
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
      if (!server.listening) await listenAt(port)
    },
    redirect(url) {
      targets = [toAddress(url)]
      for (const socket of sockets) socket.destroy()
    },
    beforeForwarding: () => undefined,
  }
  return proxy
}

function toAddress(url: string) {
  const { hostname: host, port } = new URL(url)
  return { host, port: Number(port) }
}

/**
 * The effect of the proxy on a request:
 * - `pass`: forwards it and returns the response, after `lateByMs` if given;
 * - `break`: closes the connection without forwarding it;
 * - `fail`: responds 500 without forwarding it;
 * - `lose`: forwards it and closes the connection before the response;
 * - `cut`: forwards it and closes the connection before the end of the response.
 */
export type Fate = { kind: 'pass'; lateByMs?: number } | { kind: 'break' | 'fail' | 'lose' | 'cut' }

/** A proxy that injects network faults in front of HTTP servers, or distributes the requests to several of them. */
export interface HttpProxy {
  /** The URL of the proxy, without a trailing slash. */
  url: string
  /** URLs of the servers, each of which gets a request in turn; set them before the first request. */
  targets: readonly string[]
  /** Returns the fate of each request; by default every request passes. */
  fate: (method: string, path: string) => Fate
  /** Number of requests per fate; delayed requests count as `late`, not `pass`. */
  counts: Record<Fate['kind'] | 'late', number>
  close(): Promise<void>
}

export async function openHttpProxy(targets: readonly string[] = []): Promise<HttpProxy> {
  const server = http.createServer((incoming, reply) => void pass(incoming, reply))
  let count = 0
  const proxy: HttpProxy = {
    url: `http://127.0.0.1:${await listen(server)}`,
    targets,
    fate: () => ({ kind: 'pass' }),
    counts: { pass: 0, late: 0, break: 0, fail: 0, lose: 0, cut: 0 },
    close: () => stop(server),
  }

  async function pass(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming
    const fate = proxy.fate(method, url)
    proxy.counts[fate.kind === 'pass' && fate.lateByMs ? 'late' : fate.kind] += 1
    try {
      const body = await buffer(incoming)
      if (fate.kind === 'break') reply.destroy()
      else if (fate.kind === 'fail') sendFailure(reply)
      else await send(reply, await forward(incoming, body), fate)
    } catch {
      reply.destroy() // The client has closed its connection.
    }
  }

  /** A request that no server has received goes to the next one. No other request is repeated. */
  async function forward(incoming: IncomingMessage, body: Buffer): Promise<Forwarded> {
    const first = count++ % proxy.targets.length
    for (const target of [...proxy.targets.slice(first), ...proxy.targets.slice(0, first)]) {
      try {
        return await request(target, incoming, body)
      } catch (error) {
        if (!hasCode(error, 'ECONNREFUSED')) break
      }
    }
    return { status: 502, headers: {}, body: Buffer.alloc(0) }
  }
  return proxy
}

interface Forwarded {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

function request(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(`${target}${url}`, { method, headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function send(reply: ServerResponse, { status, headers, body }: Forwarded, fate: Fate): Promise<void> {
  if (fate.kind === 'lose') return void reply.destroy()
  if (fate.kind === 'pass' && fate.lateByMs) await delay(fate.lateByMs, undefined, { ref: false })
  const { 'transfer-encoding': _, connection: __, ...rest } = headers
  reply.writeHead(status, rest)
  if (fate.kind === 'cut') reply.write(body.subarray(0, body.length / 2), () => reply.destroy())
  else reply.end(body)
}

function sendFailure(reply: ServerResponse): void {
  const body = { error: { type: 'api_error', message: 'Something went wrong at the provider.' } }
  reply.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
