import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen, stop } from '../webhook-inbox.ts'
import { cleanup } from './cleanup.ts'

/**
 * The effect of the proxy on a request:
 * - `pass`: forwards it and returns the response, after `lateByMs` if given;
 * - `break`: closes the connection without forwarding it;
 * - `fail`: responds 500 without forwarding it;
 * - `lose`: forwards it and closes the connection before the response;
 * - `cut`: forwards it and closes the connection in the middle of the response.
 */
export type Fate = { kind: 'pass'; lateByMs?: number } | { kind: 'break' | 'fail' | 'lose' | 'cut' }

/** A proxy that injects network faults in front of an HTTP server. */
export interface FaultProxy {
  /** The URL of the proxy, without a trailing slash. */
  url: string
  /** The URL of the server behind it; set it before the first request. */
  target: string
  /** Returns the fate of each request; by default every request passes. */
  fate: (method: string, path: string) => Fate
  /** Number of requests per fate; delayed requests count as `late`, not `pass`. */
  counts: Record<Fate['kind'] | 'late', number>
}

export async function openFaultProxy(): Promise<FaultProxy> {
  const server = createServer((incoming, reply) => void pass(incoming, reply))
  const port = await listen(server)
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${port}`,
    target: '',
    fate: () => ({ kind: 'pass' }),
    counts: { pass: 0, late: 0, break: 0, fail: 0, lose: 0, cut: 0 },
  }
  cleanup.add(() => stop(server))

  async function pass(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = incoming
    const fate = proxy.fate(method, url)
    proxy.counts[fate.kind === 'pass' && fate.lateByMs ? 'late' : fate.kind] += 1
    try {
      const body = await buffer(incoming)
      if (fate.kind === 'break') reply.destroy()
      else if (fate.kind === 'fail') sendFailure(reply)
      else send(reply, await forward(proxy.target, incoming, body), fate)
    } catch {
      reply.destroy() // The client or the target has closed its connection.
    }
  }
  return proxy
}

export interface Forwarded {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Sends a request to another server. */
export function forward(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${target}${url}`, { method, headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function send(reply: ServerResponse, { status, headers, body }: Forwarded, fate: Fate): void {
  if (fate.kind === 'lose') return void reply.destroy()
  const { 'transfer-encoding': _, ...rest } = headers
  const whole = () => reply.writeHead(status, { ...rest, 'content-length': body.length })
  if (fate.kind === 'cut') {
    whole().write(body.subarray(0, body.length / 2), () => reply.destroy())
  } else if (fate.kind === 'pass' && fate.lateByMs) {
    setTimeout(() => whole().end(body), fate.lateByMs).unref()
  } else whole().end(body)
}

function sendFailure(reply: ServerResponse): void {
  const body = { error: { type: 'api_error', message: 'Something went wrong at the provider.' } }
  reply.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
