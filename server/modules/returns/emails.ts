import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { type EmailRenderers, emailContents, listSafeTexts, type Outbox } from '../mail/service.ts'
import { presentReceipt, toReturnNumber } from './present.ts'
import * as queries from './queries.ts'

export type ReturnEmails = ReturnType<typeof openReturnEmails>

type ReturnEmailKind = 'return-approved' | 'return-rejected' | 'withdrawal-received'

/** Withdrawals from a network, and emails about those whose buyer is not known. */
export const returnLimits = {
  withdrawalsPerIp: { max: 10, seconds: 24 * 3600 },
  withdrawalEmailsPerEmail: { max: 3, seconds: 24 * 3600 },
}

interface ReturnEmailOptions {
  outbox: Outbox
  /** Reads where returns are sent, in lines; empty if the shop has not set it. */
  readAddress: (db: Kysely<Database>) => Promise<string[]>
}

export function openReturnEmails({ outbox, readAddress }: ReturnEmailOptions) {
  const renderers: Pick<EmailRenderers, ReturnEmailKind> = {
    async 'return-approved'(tx, { subject: id }) {
      const row = await queries.findReturn(tx, id)
      if (!row) return null
      const reply = row.reply ? row.reply.split('\n') : await readAddress(tx)
      return emailContents.returnApproved(toReturnNumber(id), row.order_number, toItems(row), reply)
    },
    async 'return-rejected'(tx, { subject: id }) {
      const row = await queries.findReturn(tx, id)
      if (!row) return null
      return emailContents.returnRejected(row.order_number, toItems(row), row.reply.split('\n'))
    },
    async 'withdrawal-received'(tx, { subject: id }) {
      const row = await queries.findReturn(tx, id)
      if (!row) return null
      // A stranger must not be able to send messages through the shop.
      const [name = ''] = listSafeTexts(row.name)
      const [note = ''] = listSafeTexts(row.note)
      const [number = ''] = listSafeTexts(row.order_number)
      const { statement } = presentReceipt({ ...row, name, note, order_number: number })
      return emailContents.withdrawalReceived(number, row.requested_at, statement)
    },
  }
  return {
    renderers,
    /** Queues an email in the transaction that changes the return. Call it last, and `wake` after the commit. */
    async enqueue(
      tx: Kysely<Database>,
      kind: ReturnEmailKind,
      { id, email }: queries.ReturnRow,
    ): Promise<void> {
      if (email) await outbox.enqueue(tx, kind, email, id)
    },
    wake: outbox.wake,
  }
}

const toItems = ({ lines }: queries.ListedReturn): string[] =>
  lines.map(({ name, pieces }) => `${pieces} × ${name}`)
