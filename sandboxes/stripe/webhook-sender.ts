import type { FailureLog } from '../../server/platform/errors.ts'
import type { Job } from '../../server/platform/jobs.ts'
import { decideDue, msUntilNextDecision } from './decisions.ts'
import { claimDue, type DueEvent, msUntilNextDelivery, recordDelivery, recordFailure } from './deliveries.ts'
import type { SandboxDb } from './tables.ts'
import { retryDelayMs, sendWebhook, WEBHOOK_TIMEOUT_MS, type WebhookEndpoint } from './webhook.ts'

interface Deps {
  db: SandboxDb
  endpoint: WebhookEndpoint
  log: FailureLog
}

/** After this time, another process takes over the delivery of a killed one. */
const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS
/** Poll interval for events of other processes, if nothing is due earlier. */
const IDLE_MS = 10_000

/** Sends events to the webhook endpoint until it accepts them, including pending events of earlier processes. */
export const createWebhookJob = (deps: Deps): Job => ({
  name: 'send sandbox webhooks',
  intervalMs: IDLE_MS,
  async run(signal) {
    await decideDue(deps.db)
    const due = await claimDue(deps.db, LEASE_MS)
    await Promise.all(due.map((event) => deliver(deps, event, signal)))
    if (due.length > 0) return 0
    const waits = [await msUntilNextDelivery(deps.db), await msUntilNextDecision(deps.db), IDLE_MS]
    return Math.min(...waits.filter((wait) => wait !== null))
  },
})

/** Never rejects, so that `Promise.all` waits for the whole batch. */
async function deliver(deps: Deps, event: DueEvent, closing: AbortSignal): Promise<void> {
  try {
    const { isDelivered, result } = await sendWebhook(deps.endpoint, event, closing)
    if (isDelivered) return await recordDelivery(deps.db, event.id, result)
    if (closing.aborted) return await recordFailure(deps.db, event.id, 'aborted', 0)
    const waitMs = event.isTooOld ? null : retryDelayMs(deps.endpoint, event.attempts)
    deps.log.warn({ event: event.id, type: event.type, result, waitMs }, 'webhook delivery failed, retrying')
    await recordFailure(deps.db, event.id, result, waitMs)
  } catch (error) {
    deps.log.error({ err: error, event: event.id }, 'could not record the result of a webhook delivery')
  }
}
