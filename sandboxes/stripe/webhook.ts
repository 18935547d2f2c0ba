import { createHmac } from 'node:crypto'
import { presentEvent } from './present.ts'
import type { EventRow } from './tables.ts'

export interface WebhookEndpoint {
  /** Where the shop takes webhooks; a function where the port is known only once the shop listens. */
  url: string | (() => string)
  /** Signs them; starts with `whsec_`. */
  secret: string
  /** How long to wait after so many failed attempts; doubling from a second to five minutes if not given. */
  retryDelayMs?: (attempts: number) => number
}

/** The endpoint has to answer within this. */
export const WEBHOOK_TIMEOUT_MS = 5_000

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000

/**
 * Tries once. Only an answer of 2xx counts as taken.
 * @returns what came of it, in a word: the status, or why there is none
 */
export async function sendWebhook(
  endpoint: WebhookEndpoint,
  event: EventRow,
  closing: AbortSignal,
): Promise<{ taken: boolean; result: string }> {
  const body = JSON.stringify(presentEvent(event))
  try {
    const response = await fetch(typeof endpoint.url === 'string' ? endpoint.url : endpoint.url(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureHeader(body, endpoint.secret),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(WEBHOOK_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return { taken: response.ok, result: String(response.status) }
  } catch (error) {
    return { taken: false, result: error instanceof Error ? error.message : String(error) }
  }
}

/** @param attempts how many have failed */
export function retryDelayMs(endpoint: WebhookEndpoint, attempts: number): number {
  if (endpoint.retryDelayMs) return endpoint.retryDelayMs(attempts)
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS)
}

/** When it is signed (whole seconds), and the HMAC-SHA256 of that and the body. */
function signatureHeader(body: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}
