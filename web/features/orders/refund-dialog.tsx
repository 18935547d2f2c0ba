import { useState } from 'react'
import { formatDollars, parseDollars, toCents, toDollars } from '../../../contract/money.ts'
import type { Order } from '../../../contract/orders.ts'
import { NewRefund, type Refund } from '../../../contract/payments.ts'
import { isClientError, readMessage } from '../../api.ts'
import { readBody, useDraft } from '../../draft.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { orderNumber } from './order-labels.tsx'
import { useRefundOrder } from './queries.ts'

/** A line of an order, or its shipping (line 0), with what can still be refunded, in dollars. */
interface Refundable {
  line: number
  name: string
  left: number
}

/** Lists what can still be refunded of a paid order. */
export function listRefundable({ amount, lines = [], refunds = [] }: Order): Refundable[] {
  const refunded = (line: number) => sumCents(refunds.map((refund) => findAmount(refund, line)))
  const paidCents = sumCents(lines.map(({ paid }) => paid))
  const rows = [
    ...lines.map(({ name, size, colour, quantity, paid }, index) => ({
      line: index + 1,
      name: [`${quantity} × ${name}`, size, colour].filter(Boolean).join(', '),
      cents: toCents(paid),
    })),
    { line: 0, name: 'Shipping', cents: toCents(amount) - paidCents },
  ]
  return rows
    .map(({ line, name, cents }) => ({ line, name, left: toDollars(cents - refunded(line)) }))
    .filter(({ left }) => left > 0)
}

const findAmount = ({ lines }: Refund, line: number) => lines.find((each) => each.line === line)?.amount ?? 0
const sumCents = (dollars: number[]) => dollars.reduce((cents, each) => cents + toCents(each), 0)

interface Draft {
  /** By line, as typed. */
  amounts: Record<number, string>
  reason: string
}

interface RefundDialogProps {
  order: Order
  rows: Refundable[]
  onClose: () => void
}

/** Refunds amounts of an order. */
export function RefundDialog({ order, rows, onClose }: RefundDialogProps) {
  // A repeated request, after a lost response, refunds once.
  const [key] = useState(() => crypto.randomUUID())
  const refund = useRefundOrder(order._id, key)
  const [empty] = useState<Draft>({ amounts: {}, reason: '' })
  const typed = (draft: Draft) => rows.filter(({ line }) => (draft.amounts[line] ?? '').trim() !== '')
  const { draft, change, isSaving, errors, alert, formProps } = useDraft<Draft, NewRefund>({
    loaded: { value: empty, version: key },
    read: (draft) =>
      readBody(NewRefund, {
        lines: typed(draft).map(({ line }) => ({ line, amount: parseDollars(draft.amounts[line] ?? '') })),
        reason: draft.reason,
      }),
    save: async (body) => {
      await refund.mutateAsync(body)
      onClose()
    },
    savedText: 'Refund recorded',
    explain: (error) =>
      isClientError(error)
        ? readMessage(error)
        : "We can't reach the shop. Check your connection and press Refund again. It will not refund twice.",
  })
  const toError = (line: number) => {
    const index = typed(draft).findIndex((row) => row.line === line)
    return index === -1 ? undefined : errors[`lines.${index}.amount`]
  }
  return (
    <Dialog title={`Refund #${orderNumber(order._id)}`} onClose={onClose}>
      <form {...formProps} className="flex flex-col gap-4">
        {rows.map(({ line, name, left }) => (
          <TextField
            key={line}
            label={name}
            inputMode="decimal"
            autoComplete="off"
            hint={`Up to ${formatDollars(left)}`}
            error={toError(line)}
            value={draft.amounts[line] ?? ''}
            onChange={(event) => {
              const { value } = event.target
              change((current) => ({ ...current, amounts: { ...current.amounts, [line]: value } }))
            }}
          />
        ))}
        <TextField
          label="Reason"
          autoComplete="off"
          hint="The customer reads it"
          error={errors.reason}
          value={draft.reason}
          onChange={(event) => {
            const { value } = event.target
            change((current) => ({ ...current, reason: value }))
          }}
        />
        {errors.lines && <Alert>{errors.lines}</Alert>}
        {alert && <Alert>{alert}</Alert>}
        <div className="flex gap-3">
          <Button type="submit" busy={isSaving}>
            Refund
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
