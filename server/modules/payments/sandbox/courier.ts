import { decideDue, nextDecisionIn } from './decisions.ts'
import { claimDue, type DueEvent, nextDueIn, noteDelivered, noteFailed } from './deliveries.ts'
import type { SandboxDb } from './tables.ts'
import { retryDelayMs, sendWebhook, WEBHOOK_TIMEOUT_MS, type WebhookEndpoint } from './webhook.ts'

export interface SandboxLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Brings events to the webhook endpoint until it takes them, also those that an earlier process left behind. */
export interface Courier {
  /** There may be something new to deliver. */
  wake(): void
  /** Breaks off what is under way, to be delivered by the next process; nothing runs after it resolves. */
  close(): Promise<void>
}

interface Post {
  db: SandboxDb
  endpoint: WebhookEndpoint
  log: SandboxLog
  closing: AbortSignal
}

/** A process that dies during a delivery leaves it to the others after this. */
const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS
/** How often to look for what other processes left behind, when nothing is known to be due sooner. */
const IDLE_MS = 10_000
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60_000

export function openCourier(db: SandboxDb, endpoint: WebhookEndpoint, log: SandboxLog): Courier {
  const closing = new AbortController()
  const post: Post = { db, endpoint, log, closing: closing.signal }
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null
  let wokenMeanwhile = false

  function wake(): void {
    if (closing.signal.aborted) return
    if (round) {
      wokenMeanwhile = true
      return
    }
    clearTimeout(timer)
    round = deliverDue(post).then(rest)
  }

  function rest(waitMs: number): void {
    round = null
    if (closing.signal.aborted) return
    timer = setTimeout(wake, wokenMeanwhile ? 0 : waitMs).unref()
    wokenMeanwhile = false
  }

  wake()
  return {
    wake,
    async close() {
      closing.abort()
      clearTimeout(timer)
      await round
    },
  }
}

/** @returns in how many milliseconds to look again */
async function deliverDue(post: Post): Promise<number> {
  try {
    while (!post.closing.aborted) {
      await decideDue(post.db)
      const due = await claimDue(post.db, LEASE_MS)
      if (due.length === 0) {
        const waits = [await nextDueIn(post.db), await nextDecisionIn(post.db), IDLE_MS]
        return Math.min(...waits.filter((wait) => wait !== null))
      }
      await Promise.all(due.map((event) => deliver(post, event)))
    }
  } catch (error) {
    post.log.error({ err: error }, 'The payment sandbox could not look for webhooks to deliver')
  }
  return IDLE_MS
}

/** Never rejects, so that one event does not keep the others of its batch from being waited for. */
async function deliver(post: Post, event: DueEvent): Promise<void> {
  try {
    const { taken, result } = await sendWebhook(post.endpoint, event, post.closing)
    if (taken) return await noteDelivered(post.db, event.id, result)
    if (post.closing.aborted) return await noteFailed(post.db, event.id, 'broken off', 0)
    const isTooOld = Date.now() - event.created_at.getTime() > GIVE_UP_AFTER_MS
    const waitMs = isTooOld ? null : retryDelayMs(post.endpoint, event.attempts)
    post.log.warn({ event: event.id, type: event.type, result, waitMs }, 'The shop did not take a webhook')
    await noteFailed(post.db, event.id, result, waitMs)
  } catch (error) {
    post.log.error({ err: error, event: event.id }, 'The payment sandbox could not note how a webhook fared')
  }
}
