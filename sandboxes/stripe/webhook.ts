import { createHmac } from 'node:crypto'
import { presentEvent } from './present.ts'
import type { EventRow } from './tables.ts'

export interface WebhookEndpoint {
  url: string
  /** Signs the webhooks. Starts with `whsec_`. */
  secret: string
  /** Default: one second, doubled after each failed attempt, at most five minutes. */
  retryDelayMs?: (attempts: number) => number
}

/** Timeout for the endpoint's response. */
export const WEBHOOK_TIMEOUT_MS = 5_000

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000

/**
 * Sends a webhook once. Only a status of 2xx counts as delivered (`isDelivered`).
 * @returns `result`: the HTTP status, or the message of the error
 */
export async function sendWebhook(
  endpoint: WebhookEndpoint,
  event: EventRow,
  closing: AbortSignal,
): Promise<{ isDelivered: boolean; result: string }> {
  const body = JSON.stringify(presentEvent(event))
  try {
    const response = await fetch(endpoint.url, {
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
    return { isDelivered: response.ok, result: String(response.status) }
  } catch (error) {
    return { isDelivered: false, result: error instanceof Error ? error.message : String(error) }
  }
}

/** @param attempts number of failed attempts, at least 1 */
export function retryDelayMs(endpoint: WebhookEndpoint, attempts: number): number {
  if (endpoint.retryDelayMs) return endpoint.retryDelayMs(attempts)
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS)
}

/** Returns the time in seconds, and the HMAC-SHA256 of time and body. */
function signatureHeader(body: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}
