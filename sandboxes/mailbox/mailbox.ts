import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Mailer } from '../../server/modules/mail/mailer.ts'

export interface MailboxItem {
  id: number
  email: string
  subject: string
  body: string
  receivedAt: Date
}

const maxMessages = 100

/** Stores outgoing email in a table, which the mailbox page shows. */
export function openMailbox(db: Kysely<Database>): Mailer {
  return {
    async send({ id, to, subject, text, html }) {
      await sql`
        insert into sandbox.mailbox (message_id, email, subject, body, html)
        values (${id}, ${to}, ${subject}, ${text}, ${html})
        on conflict (message_id) do nothing`.execute(db)
      await sql`
        delete from sandbox.mailbox
        where id <= (select max(id) from sandbox.mailbox) - ${maxMessages}`.execute(db)
    },
  }
}

/** Newest first. */
export async function listMailbox(db: Kysely<Database>): Promise<MailboxItem[]> {
  const { rows } = await sql<MailboxItem>`
    select id, email, subject, body, received_at as "receivedAt" from sandbox.mailbox order by id desc`.execute(
    db,
  )
  return rows
}

/** Returns the HTML of a message. */
export async function findHtml(db: Kysely<Database>, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ html: string }>`select html from sandbox.mailbox where id = ${id}`.execute(db)
  return rows[0]?.html
}
