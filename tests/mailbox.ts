import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import type { Database } from '../db/schema.ts'

export interface MailboxEmail {
  id: number
  subject: string
  body: string
  html: string
}

/** Resolves to the emails in the sandbox mailbox to this recipient, oldest first, once the outbox is empty. */
export async function sentEmails(db: Kysely<Database>, email: string): Promise<MailboxEmail[]> {
  const queued = db.selectFrom('mail_outbox').select('id').where('email', '=', email)
  await vi.waitUntil(async () => (await queued.execute()).length === 0, { interval: 10, timeout: 60_000 })
  const { rows } = await sql<MailboxEmail>`
    select id, subject, body, html from sandbox.mailbox where email = ${email} order by id`.execute(db)
  return rows
}
