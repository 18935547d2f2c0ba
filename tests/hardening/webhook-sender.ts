import { setTimeout as delay } from 'node:timers/promises'
import { Stripe } from 'stripe'
import type { Random } from './random.ts'

/** Delivers the provider's webhooks late, repeatedly, out of order or not at all. Also sends forged ones. */
export interface WebhookSender {
  /** Accepts an event. Random numbers decide on its delivery. */
  enqueue(body: string): void
  /** Waits until all deliveries have ended. */
  waitForDeliveries(): Promise<void>
  counts: { delivered: number; repeated: number; dropped: number; forged: number }
  /** One message per response that is never allowed. */
  faults: string[]
}

const maxDelayMs = 2_000
const pauseMs = 300
/** After this number of attempts a webhook counts as dropped. */
const maxAttempts = 8
/** Stripe's SDK rejects signatures that are older than five minutes. */
const oldSeconds = 10 * 60

/**
 * @param urls the webhook URL of each shop process
 * @param loss the share of payments that lose all their webhooks, unless the shop has no other way to find them
 */
export function openWebhookSender(urls: string[], secret: string, random: Random, loss = 0.2): WebhookSender {
  const inFlight = new Set<Promise<void>>()
  const webhookSender: WebhookSender = {
    enqueue,
    async waitForDeliveries() {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
    counts: { delivered: 0, repeated: 0, dropped: 0, forged: 0 },
    faults: [],
  }

  const droppedIntents = new Map<string, boolean>()

  function isDropped({ id, isFromDesk }: { id: string; isFromDesk: boolean }): boolean {
    if (!droppedIntents.has(id)) droppedIntents.set(id, random.chance(loss))
    return !isFromDesk && droppedIntents.get(id) === true
  }

  function enqueue(body: string): void {
    if (random.chance(0.15)) start(forge(body))
    if (isDropped(toIntent(body))) return void (webhookSender.counts.dropped += 1)
    const times = random.chance(0.2) ? 2 + random.below(2) : 1
    webhookSender.counts.repeated += times - 1
    // Each copy has its own delay, so webhooks arrive in any order.
    for (let count = 0; count < times; count++) start(deliver(body))
  }

  function start(work: Promise<void>): void {
    inFlight.add(work)
    void work.finally(() => inFlight.delete(work))
  }

  async function deliver(body: string): Promise<void> {
    await delay(random.below(maxDelayMs))
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const status = await post(body, sign(body, secret))
      if (status === 200) return void (webhookSender.counts.delivered += 1)
      if (status !== null && status !== 503) webhookSender.faults.push(`a webhook returned ${status}`)
      await delay(pauseMs)
    }
    webhookSender.counts.dropped += 1
  }

  async function forge(body: string): Promise<void> {
    const { what, altered, signature } = createForgery(body)
    webhookSender.counts.forged += 1
    await delay(random.below(maxDelayMs))
    const status = await post(altered, signature)
    if (status !== 400 && status !== 503 && status !== null)
      webhookSender.faults.push(`a webhook ${what} returned ${status}`)
  }

  function createForgery(body: string): { what: string; altered: string; signature: string } {
    return random.pick([
      { what: 'without a signature', altered: body, signature: '' },
      { what: 'signed with another secret', altered: body, signature: sign(body, 'whsec_of_a_stranger') },
      { what: 'from yesterday', altered: body, signature: sign(body, secret, oldSeconds) },
      { what: 'from the future', altered: body, signature: sign(body, secret, -oldSeconds) },
      {
        what: 'with a changed body',
        altered: body.replaceAll('payment_intent.created', 'payment_intent.succeeded').replace('{', '{ '),
        signature: sign(body, secret),
      },
    ])
  }

  /** Returns the status, or null if the connection broke. */
  async function post(body: string, signature: string): Promise<number | null> {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const sent = fetch(random.pick(urls), { method: 'POST', headers, body })
    return sent.then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => null,
    )
  }
  return webhookSender
}

function toIntent(body: string): { id: string; isFromDesk: boolean } {
  const { id, payment_intent, metadata } = JSON.parse(body).data.object
  return { id: payment_intent ?? id, isFromDesk: metadata?.desk === 'yes' }
}

const { webhooks } = new Stripe('sk_test_signs_only')

function sign(payload: string, secret: string, ageSeconds = 0): string {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  return webhooks.generateTestHeaderString({ payload, secret, timestamp })
}
