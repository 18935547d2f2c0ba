import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Stripe } from 'stripe'

export interface ReceivedWebhook {
  body: Buffer
  signature: string
  event: Stripe.Event
}

/** A webhook endpoint that keeps what it gets. */
export interface WebhookInbox {
  url: string
  received: ReceivedWebhook[]
  /** How to answer the next deliveries, first to last; null never answers. 200 when used up. */
  responses: (number | null)[]
  /** The first webhook of this type, which may be still to come. */
  first(type: string): Promise<ReceivedWebhook>
  close(): Promise<void>
}

export async function openWebhookInbox(): Promise<WebhookInbox> {
  const received: ReceivedWebhook[] = []
  const responses: (number | null)[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => void take(request, response))
  const port = await listen(server)

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = responses.length > 0 ? responses.shift() : 200
    received.push(await readWebhook(request))
    for (const look of waiting.splice(0)) look()
    if (status) response.writeHead(status, { location: '/elsewhere' }).end()
  }

  async function first(type: string): Promise<ReceivedWebhook> {
    for (;;) {
      const found = received.find(({ event }) => event.type === type)
      if (found) return found
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  return { url: `http://127.0.0.1:${port}/webhook`, received, responses, first, close: () => stop(server) }
}

/** @returns the free port on this machine that the server was given */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = server.address()
  if (url === null || typeof url === 'string') throw new Error('The server listens on no port')
  return url.port
}

/** Stops a server that may still have requests in hand. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function readWebhook(request: IncomingMessage): Promise<ReceivedWebhook> {
  const body = await buffer(request)
  const event: Stripe.Event = JSON.parse(body.toString())
  return { body, signature: String(request.headers['stripe-signature']), event }
}
