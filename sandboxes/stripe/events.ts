import type { Call } from './call.ts'
import { newId } from './ids.ts'

/**
 * Records an event and its webhook delivery in the transaction of the change.
 * @param type Stripe's name, such as `charge.succeeded`
 * @param object the changed object in its new state, in Stripe's shape
 */
export async function recordEvent(call: Call, type: string, object: object): Promise<void> {
  const id = newId('evt')
  await call.db
    .insertInto('events')
    .values({
      id,
      type,
      object: JSON.stringify(object),
      request_id: call.requestId,
      idempotency_key: call.idempotencyKey,
    })
    .execute()
  await call.db.insertInto('webhook_deliveries').values({ event_id: id }).execute()
}
