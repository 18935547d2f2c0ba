import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

export interface MailboxItem {
  email: string
  subject: string
  body: string
  receivedAt: Date
}

/** Stores a message, and deletes all but the newest `maxMessages`. */
export async function storeInMailbox(
  db: Kysely<Database>,
  { email, subject, body }: Omit<MailboxItem, 'receivedAt'>,
  maxMessages: number,
): Promise<void> {
  await sql`insert into sandbox.mailbox (email, subject, body) values (${email}, ${subject}, ${body})`.execute(
    db,
  )
  await sql`delete from sandbox.mailbox where id <= (select max(id) from sandbox.mailbox) - ${maxMessages}`.execute(
    db,
  )
}

/** Newest first. */
export async function listMailbox(db: Kysely<Database>): Promise<MailboxItem[]> {
  const { rows } = await sql<MailboxItem>`
    select email, subject, body, received_at as "receivedAt" from sandbox.mailbox order by id desc`.execute(
    db,
  )
  return rows
}
