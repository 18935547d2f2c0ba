import type { Job } from '../../server/platform/jobs.ts'
import { decideDue, nextDecisionIn } from './decisions.ts'
import { claimDue, type DueEvent, nextDueIn, noteDelivered, noteFailed } from './deliveries.ts'
import type { SandboxDb } from './tables.ts'
import { retryDelayMs, sendWebhook, WEBHOOK_TIMEOUT_MS, type WebhookEndpoint } from './webhook.ts'

export interface SandboxLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

interface Post {
  db: SandboxDb
  endpoint: WebhookEndpoint
  log: SandboxLog
}

/** A process that dies during a delivery leaves it to the others after this. */
const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS
/** How often to look for what other processes left behind, when nothing is known to be due sooner. */
const IDLE_MS = 10_000
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60_000

/** Sends events to the webhook endpoint until it accepts them, including those that an earlier process left behind. */
export const createWebhookJob = (post: Post): Job => ({
  name: 'send sandbox webhooks',
  intervalMs: IDLE_MS,
  async run(signal) {
    await decideDue(post.db)
    const due = await claimDue(post.db, LEASE_MS)
    await Promise.all(due.map((event) => deliver(post, event, signal)))
    if (due.length > 0) return 0
    const waits = [await nextDueIn(post.db), await nextDecisionIn(post.db), IDLE_MS]
    return Math.min(...waits.filter((wait) => wait !== null))
  },
})

/** Never rejects, so that one event does not keep the others of its batch from being waited for. */
async function deliver(post: Post, event: DueEvent, closing: AbortSignal): Promise<void> {
  try {
    const { taken, result } = await sendWebhook(post.endpoint, event, closing)
    if (taken) return await noteDelivered(post.db, event.id, result)
    if (closing.aborted) return await noteFailed(post.db, event.id, 'aborted', 0)
    const isTooOld = Date.now() - event.created_at.getTime() > GIVE_UP_AFTER_MS
    const waitMs = isTooOld ? null : retryDelayMs(post.endpoint, event.attempts)
    post.log.warn({ event: event.id, type: event.type, result, waitMs }, 'webhook delivery failed, retrying')
    await noteFailed(post.db, event.id, result, waitMs)
  } catch (error) {
    post.log.error({ err: error, event: event.id }, 'could not record the result of a webhook delivery')
  }
}
