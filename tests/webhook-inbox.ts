import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Stripe } from 'stripe'
import { listen, stop } from './listen.ts'

export interface ReceivedWebhook {
  body: Buffer
  signature: string
  event: Stripe.Event
}

/** A webhook endpoint that records its requests. */
export interface WebhookInbox {
  url: string
  received: ReceivedWebhook[]
  /** Status codes of the next responses, in order; null sends no response. Afterwards 200. */
  responses: (number | null)[]
  /** Resolves to the first webhook of this type, including a future one. */
  first(type: string): Promise<ReceivedWebhook>
  close(): Promise<void>
}

export async function openWebhookInbox(): Promise<WebhookInbox> {
  const received: ReceivedWebhook[] = []
  const responses: (number | null)[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => void handle(request, response))
  const port = await listen(server)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const status = responses.length > 0 ? responses.shift() : 200
    received.push(await readWebhook(request))
    for (const resolve of waiting.splice(0)) resolve()
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

async function readWebhook(request: IncomingMessage): Promise<ReceivedWebhook> {
  const body = await buffer(request)
  const event: Stripe.Event = JSON.parse(body.toString())
  return { body, signature: String(request.headers['stripe-signature']), event }
}
