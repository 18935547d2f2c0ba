import type { Kysely } from 'kysely'
import { type FailedEmail, orderEmailKinds } from '../../../contract/emails.ts'
import type { Database } from '../../../db/schema.ts'
import type { Calls } from '../../http/calls.ts'
import { sendPage } from '../../platform/http/paging.ts'
import * as mail from './service.ts'

interface MailDeps {
  /** Null if the shop does not send email. */
  mail: mail.Mail | null
  /** Reads the shop as emails show it, with all earlier commits. */
  readSender: (db: Kysely<Database>) => Promise<mail.EmailSender>
  findOrderIds: mail.FindOrderIds
}

export function registerMail(calls: Calls, { mail: opened, readSender, findOrderIds }: MailDeps): void {
  calls.handle('listEmails', async ({ query, reply, db }) => {
    const rows = sendPage(reply, await mail.listFailedEmails(db, query))
    const orderIds = await findOrderIds(
      db,
      rows.map(({ subject }) => subject),
    )
    return rows.flatMap((row) => presentFailedEmail(row, orderIds.get(row.subject)) ?? [])
  })

  calls.handle('retryEmail', async ({ params, db }) => {
    await mail.retryEmail(db, params.id, opened?.outbox ?? null)
    return { acknowledged: true, modifiedCount: 1 }
  })

  calls.handle('deleteEmail', async ({ params, caller, db }) => {
    await mail.deleteFailedEmail(db, params.id, { findOrderIds, deletedBy: caller })
    return { acknowledged: true, deletedCount: 1 }
  })

  calls.handle('previewEmail', async ({ body, db }) => mail.previewEmail(body, await readSender(db)))

  calls.handle('testEmail', async ({ body, caller, db }) => {
    await mail.sendTestEmail(opened, { draft: body, sender: await readSender(db), to: caller.email })
    return { acknowledged: true, email: caller.email }
  })
}

/** Undefined for an email of a newer version. */
function presentFailedEmail(row: mail.FailedEmail, orderId: string | undefined): FailedEmail | undefined {
  const kind = orderEmailKinds.find((each) => each === row.kind)
  if (!kind || !row.failed_at) return undefined
  return {
    id: row.id,
    kind,
    email: row.email,
    orderId,
    failedAt: row.failed_at.toISOString(),
    reason: row.expires_at <= row.failed_at ? 'expired' : 'mailbox',
    codes: row.failure ?? undefined,
  }
}
