import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen, stop } from '../webhook-inbox.ts'
import { ending } from './cleanup.ts'

/**
 * What becomes of a request on its way:
 * - `pass`: it is answered, perhaps late;
 * - `break`: the connection breaks before it arrives;
 * - `fail`: it is answered 500 and does not arrive;
 * - `lose`: it arrives, and the connection breaks before its answer;
 * - `cut`: it arrives, and the connection breaks in the middle of its answer.
 */
export type Fate = { kind: 'pass'; lateByMs?: number } | { kind: 'break' | 'fail' | 'lose' | 'cut' }

/** A bad line to someone else's HTTP server. */
export interface FaultProxy {
  /** Where it listens, without a slash at its end. */
  url: string
  /** Where the line leads to; set it before the first request comes. */
  target: string
  /** Decides on each request; at first everything passes. */
  fate: (method: string, path: string) => Fate
  /** How many requests met each fate; late ones count as `late`. */
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
  ending.add(() => stop(server))

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
      reply.destroy() // Whoever asked or was asked is gone: so is the line.
    }
  }
  return proxy
}

interface Forwarded {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

function forward(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const onward = request(`${target}${url}`, { method, headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body }),
        reject,
      )
    })
    onward.on('error', reject)
    onward.end(body)
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
