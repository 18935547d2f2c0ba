import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { Mailer } from '../../server/modules/mail/mailer.ts'
import { storeInMailbox } from './queries.ts'

const maxMessages = 100

/** Stores outgoing email in a table, which the mailbox page shows. */
export function openMailbox(db: Kysely<Database>): Mailer {
  return {
    send: (message) => storeInMailbox(db, message, maxMessages),
  }
}
