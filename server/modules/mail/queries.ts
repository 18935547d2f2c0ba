import type { Kysely, Selectable } from 'kysely'
import type { Database, MailOutboxTable } from '../../../db/schema.ts'
import { type Page, toLimitOffset } from '../../platform/http/paging.ts'

/** An email about an order that is not tried again. `failure`: the last reason, as codes. */
export type FailedEmail = Pick<
  Selectable<MailOutboxTable>,
  'id' | 'kind' | 'email' | 'subject' | 'failed_at' | 'failure' | 'expires_at'
>

const failed = (db: Kysely<Database>) => db.selectFrom('mail_outbox').where('failed_at', 'is not', null)

/** Lists the failed emails, the last one first. */
export async function listFailedEmails(
  db: Kysely<Database>,
  query: { page?: number | undefined; pageSize?: number | undefined },
): Promise<Page<FailedEmail>> {
  const { limit, offset } = toLimitOffset(query)
  const rows = failed(db)
    .select(['id', 'kind', 'email', 'subject', 'failed_at', 'failure', 'expires_at'])
    .orderBy('failed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
  return { rows: await rows.execute(), total: await countFailedEmails(db) }
}

export async function countFailedEmails(db: Kysely<Database>): Promise<number> {
  const count = failed(db).select((eb) => eb.fn.countAll<number>().as('count'))
  return (await count.executeTakeFirstOrThrow()).count
}
