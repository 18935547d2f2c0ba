import type { Kysely } from 'kysely'
import { nameItem } from '../../../contract/item-names.ts'
import { nameOrder, orderNumber } from '../../../contract/order-number.ts'
import type { Database } from '../../../db/schema.ts'
import { type EmailRenderers, emailContents, listUnlinkedTexts, type Outbox } from '../mail/service.ts'
import * as orders from '../orders/service.ts'
import { toReturnNumber, toStatement } from './present.ts'
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
  findOrder: orders.OrderEmails['findOrder']
}

export function openReturnEmails({ outbox, readAddress, findOrder }: ReturnEmailOptions) {
  const findBought = (tx: Kysely<Database>, { order_id: id }: queries.ReturnRow, to: string) =>
    id === null ? undefined : findOrder(tx, id, to)
  const renderers: Pick<EmailRenderers, ReturnEmailKind> = {
    async 'return-approved'(tx, { subject: id, email }) {
      const row = await queries.findReturn(tx, id)
      // It may be closed by now.
      if (row?.status !== 'approved') return null
      const items = await splitItems(tx, row)
      const address = items.shipped.length > 0 ? await readAddress(tx) : []
      const reply = row.reply ? row.reply.split('\n') : address
      const order = await findBought(tx, row, email)
      const number = orderNumber(row.order_id ?? '')
      return emailContents.returnApproved(toReturnNumber(id), number, items, reply, order)
    },
    async 'return-rejected'(tx, { subject: id, email }) {
      const row = await queries.findReturn(tx, id)
      if (!row) return null
      const order = await findBought(tx, row, email)
      return emailContents.returnRejected(toOrderName(row), toItems(row), row.reply.split('\n'), order)
    },
    async 'withdrawal-received'(tx, { subject: id }) {
      const row = await queries.findReturn(tx, id)
      if (!row) return null
      const order = nameTypedOrder(row)
      const statement = toStatement({ name: toShown(row.name), order, note: toShown(row.note) })
      return emailContents.withdrawalReceived(order, row.requested_at, statement)
    },
  }
  return {
    renderers,
    /**
     * Queues an email in the transaction that changes the return. Call it last, and `wake` after the commit.
     *
     * @param orderId the order that was assigned after the row was read
     */
    async enqueue(
      tx: Kysely<Database>,
      kind: ReturnEmailKind,
      { id, order_id, email: typed }: queries.ReturnRow,
      orderId = order_id,
    ): Promise<void> {
      // The email of the account may have changed since the return was requested.
      const recipient = orderId === null ? undefined : await orders.findRecipient(tx, orderId)
      const email = recipient?.email ?? typed
      if (email) await outbox.enqueue(tx, kind, email, id)
    },
    wake: outbox.wake,
  }
}

/** Returns the items of an approved return, in words: those to send back, and those that were not shipped. */
async function splitItems(
  tx: Kysely<Database>,
  { order_id: orderId, lines, note }: queries.ListedReturn,
): Promise<{ shipped: string[]; open: string[] }> {
  const items: { shipped: string[]; open: string[] } = { shipped: [], open: [] }
  const order = orderId === null ? undefined : await orders.findOrder(tx, orderId)
  if (!order) return items
  for (const line of order.lines) {
    const { openPieces, shippedPieces, returnedPieces } = orders.toLinePieces(order.status, line)
    const chosen = lines.find(({ line_number }) => line_number === line.line_number)
    const left = openPieces + shippedPieces - returnedPieces
    const pieces = lines.length > 0 ? (chosen?.pieces ?? 0) : left
    if (pieces === 0) continue
    const part = shippedPieces > 0 ? items.shipped : items.open
    part.push(`${pieces} × ${nameItem({ ...line, name: line.product_name })}`)
  }
  // A withdrawal may name its items in words only.
  const words = lines.length > 0 || note === '' ? [] : [toShown(note)]
  if (words.length === 0) return items
  return items.shipped.length > 0 ? { shipped: words, open: [] } : { shipped: [], open: words }
}

const hidden = '(not shown here: it contains a link)'

/** Replaces a text with a link: a stranger must not be able to send messages through the shop. The admin sees the text. */
const toShown = (text: string): string => (text === '' ? '' : (listUnlinkedTexts(text)[0] ?? hidden))

/** Names the order by what the buyer has typed. */
function nameTypedOrder({ order_number: typed }: queries.ReturnRow): string {
  const [shown] = listUnlinkedTexts(typed)
  return shown === undefined ? hidden : nameOrder(shown)
}

const toOrderName = (row: queries.ReturnRow): string =>
  row.order_id === null ? nameTypedOrder(row) : `#${orderNumber(row.order_id)}`

/** Returns the items of a return in words. A withdrawal may name them in words only, or be for the whole order. */
function toItems({ lines, note }: queries.ListedReturn): string[] {
  if (lines.length > 0) return lines.map(({ name, pieces }) => `${pieces} × ${name}`)
  return [toShown(note) || 'All items of the order']
}
