import { missing } from './api-error.ts'
import { type Call, ok, type Reply } from './call.ts'
import { newId } from './ids.ts'
import { toList } from './lists.ts'
import { presentEvent } from './present.ts'
import { eventColumns } from './tables.ts'

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

/** `GET /v1/events/:id` */
export async function retrieveEvent(call: Call): Promise<Reply> {
  const row = await call.db
    .selectFrom('events')
    .select(eventColumns)
    .where('id', '=', call.id)
    .executeTakeFirst()
  if (!row) throw missing('event', call.id)
  return ok(presentEvent(row))
}

/** `GET /v1/events`, optionally of one `type` */
export async function listEvents(call: Call): Promise<Reply> {
  const type = call.params.get('type')
  return toList(call, '/v1/events', async (limit) => {
    let query = call.db.selectFrom('events').select(eventColumns).orderBy('sequence', 'desc').limit(limit)
    if (type) query = query.where('type', '=', type)
    return (await query.execute()).map(presentEvent)
  })
}
