import { useState } from 'react'
import { nameItem } from '../../../contract/item-names.ts'
import { formatCents, toCents, toDollars } from '../../../contract/money.ts'
import type { Order } from '../../../contract/orders.ts'
import { NewRefund } from '../../../contract/payments.ts'
import { type RefundableLine, toRestCents, toWorthCents } from '../../../contract/refund-amounts.ts'
import type { Return } from '../../../contract/returns.ts'
import { parseDollars, parseOptionalDollars, toPlainDollars } from '../../../contract/typed-numbers.ts'
import { ApiError, isClientError, readMessage } from '../../api.ts'
import { type Errors, readBody, useDraft } from '../../draft.ts'
import { toFields } from '../../editor-form.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckboxField, SelectField, TextField } from '../../ui/field.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { orderNumber } from './order-labels.tsx'
import { useRefundOrder } from './queries.ts'

type Kind = NewRefund['kind']

/** A line of an order, or its shipping (line 0). `available`: the pieces that can be cancelled, and returned. */
interface Row extends RefundableLine {
  line: number
  name: string
  available: Record<Kind, number>
}

const kindNames: Record<Kind, string> = {
  cancellation: 'Open items',
  return: 'Shipped items',
  goodwill: 'An amount',
}

const kindHints: Record<Kind, string> = {
  cancellation: 'They are cancelled, and not shipped any more.',
  return: 'The customer has sent them back.',
  goodwill: 'No items are cancelled or returned.',
}

/** Lists what can still be refunded of a paid order, and of which kind. */
export function listRefundable({ amount, lines = [], refunds = [] }: Order): { rows: Row[]; kinds: Kind[] } {
  const shipping: Row = {
    line: 0,
    name: 'Shipping',
    pieces: 0,
    refundedPieces: 0,
    totalCents: toCents(amount) - sumCents(lines.map(({ paid }) => paid)),
    refundedCents: sumCents(
      refunds.map((refund) => refund.lines.find(({ line }) => line === 0)?.amount ?? 0),
    ),
    available: { cancellation: 0, return: 0, goodwill: 0 },
  }
  const rows = lines.map(
    (each, index): Row => ({
      line: index + 1,
      name: `${each.quantity} × ${nameItem(each)}`,
      pieces: each.quantity,
      refundedPieces: each.cancelledPieces + each.returnedPieces,
      totalCents: toCents(each.paid),
      refundedCents: toCents(each.refunded),
      available: {
        cancellation: each.openPieces,
        return: each.shippedPieces - each.returnedPieces,
        goodwill: 0,
      },
    }),
  )
  const all = [...rows, shipping]
  const kinds = (['cancellation', 'return', 'goodwill'] as const).filter((kind) =>
    kind === 'goodwill'
      ? all.some((row) => toRestCents(row) > 0)
      : rows.some(({ available }) => available[kind] > 0),
  )
  return { rows: all, kinds }
}

const sumCents = (dollars: number[]) => dollars.reduce((cents, each) => cents + toCents(each), 0)

/** The values of a row, as typed. */
interface DraftRow {
  pieces: string
  amount: string
  isRestocked: boolean
}

interface Draft {
  kind: Kind
  /** By line. */
  rows: Record<number, DraftRow>
  reason: string
}

const emptyRow: DraftRow = { pieces: '', amount: '', isRestocked: true }

interface RefundDialogProps {
  order: Order
  /** The return that is refunded. */
  returned?: Return
  onClose: () => void
}

/** Refunds an order: cancels items, takes them back, or refunds amounts. */
export function RefundDialog({ order, returned, onClose }: RefundDialogProps) {
  const [{ rows, kinds }] = useState(() => listRefundable(order))
  const refund = useRefundOrder(order._id)
  const [empty] = useState<Draft>(() =>
    returned ? fillDraft(rows, kinds, returned) : { kind: kinds[0] ?? 'goodwill', rows: {}, reason: '' },
  )
  const editor = useDraft<Draft, NewRefund>({
    loaded: { value: empty, version: order._id },
    read: (draft) => {
      const errors = findTooMany(rows, draft)
      return errors ? { errors } : readBody(NewRefund, { ...toBody(rows, draft), returnId: returned?.id })
    },
    save: async (body) => {
      await refund.mutateAsync(body)
      onClose()
    },
    savedText: 'Refund recorded',
    explain,
  })
  const { draft, change, isDirty, isSaving, errors, alert, formProps } = editor
  const shown = rows.filter((row) => row.available[draft.kind] > 0 || isAmountOnly(row, draft.kind))
  const changeRow = (line: number, values: Partial<DraftRow>) =>
    change((current) => {
      const next = { ...current.rows, [line]: { ...(current.rows[line] ?? emptyRow), ...values } }
      // The last pieces return the shipping too.
      if (values.pieces !== undefined) next[0] = { ...emptyRow, amount: proposeShipping(rows, next) }
      return { ...current, rows: next }
    })
  const typed = listTyped(rows, draft)
  const toError = (line: number, field: string) => {
    const index = typed.findIndex((row) => row.line === line)
    return index === -1 ? undefined : errors[`lines.${index}.${field}`]
  }
  const totalCents = typed.reduce((sum, { line }) => sum + toTypedCents(draft.rows[line]), 0)
  const leftCents = rows.reduce((sum, row) => sum + toRestCents(row), 0)
  return (
    <Dialog title={`Refund #${orderNumber(order._id)}`} onClose={onClose} isUnsaved={isDirty && !isSaving}>
      <form {...formProps} className="flex flex-col gap-4">
        {kinds.length > 1 && (
          <SelectField
            label="What is refunded?"
            hint={kindHints[draft.kind]}
            value={draft.kind}
            onChange={(event) => {
              const kind = kinds.find((each) => each === event.target.value) ?? draft.kind
              change(({ reason }) => ({ kind, rows: {}, reason }))
            }}
          >
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindNames[kind]}
              </option>
            ))}
          </SelectField>
        )}
        {shown.map((row) => (
          <RefundRow
            key={row.line}
            row={row}
            kind={draft.kind}
            values={draft.rows[row.line] ?? emptyRow}
            errors={{ pieces: toError(row.line, 'pieces'), amount: toError(row.line, 'amount') }}
            onChange={(values) => changeRow(row.line, values)}
          />
        ))}
        <TextField label="Reason" hint="The customer reads it" {...toFields(editor).text('reason')} />
        {errors.lines && <Alert>{errors.lines}</Alert>}
        {alert && <Alert>{alert}</Alert>}
        <p className="text-sm text-quiet">{formatCents(leftCents)} of this order can still be refunded.</p>
        <FormButtons
          submit={totalCents > 0 ? `Refund ${formatCents(totalCents)}` : 'Refund'}
          busy={isSaving}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

function explain(error: unknown): string {
  if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED')
    return 'The shop has recorded the refund that you sent before. Close this form to see it.'
  if (isClientError(error)) return readMessage(error)
  return "We can't reach the shop. Check your connection and press Refund again. It will not refund twice."
}

/** Whether a row has an amount only: for goodwill, and the shipping. */
const isAmountOnly = (row: Row, kind: Kind) => (kind === 'goodwill' || row.line === 0) && toRestCents(row) > 0

interface RefundRowProps {
  row: Row
  kind: Kind
  values: DraftRow
  errors: Record<'pieces' | 'amount', string | undefined>
  onChange: (values: Partial<DraftRow>) => void
}

/** Returns what the typed pieces of a row are worth: its rest if the text is not a possible number. */
export function toMaxCents(row: Row, typed: string, available: number): number {
  const pieces = readPieces(typed, available)
  return pieces === null ? toRestCents(row) : toWorthCents(row, pieces)
}

function readPieces(typed: string, available: number): number | null {
  const pieces = Number(typed)
  return Number.isInteger(pieces) && pieces > 0 && pieces <= available ? pieces : null
}

function RefundRow({ row, kind, values, errors, onChange }: RefundRowProps) {
  const available = row.available[kind]
  const isPart = available > 0
  const maxCents = toMaxCents(row, values.pieces, available)
  const amount = (
    <TextField
      label={isPart ? 'Amount' : row.name}
      inputMode="decimal"
      autoComplete="off"
      hint={`Up to ${formatCents(maxCents)}`}
      error={errors.amount}
      value={values.amount}
      onChange={(event) => onChange({ amount: event.target.value })}
    />
  )
  if (!isPart) return amount
  return (
    <fieldset className="rounded-card border border-line p-4">
      <legend className="px-1 font-semibold">{row.name}</legend>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Pieces"
          inputMode="numeric"
          autoComplete="off"
          hint={`Up to ${available}`}
          error={errors.pieces}
          value={values.pieces}
          onChange={(event) => {
            const pieces = event.target.value
            const count = readPieces(pieces, available)
            onChange({ pieces, amount: count === null ? '' : toAmountText(toWorthCents(row, count)) })
          }}
        />
        {amount}
      </div>
      <CheckboxField
        label="Back to stock"
        className="mt-1"
        checked={values.isRestocked}
        onChange={(event) => onChange({ isRestocked: event.target.checked })}
      />
    </fieldset>
  )
}

const toAmountText = (cents: number) => toPlainDollars(toDollars(cents))

function toTypedCents(values: DraftRow | undefined): number {
  const dollars = parseDollars(values?.amount ?? '')
  return typeof dollars === 'number' ? toCents(dollars) : 0
}

/** The rest of the shipping if the typed pieces are the last of the order, or else nothing. */
function proposeShipping(rows: Row[], typed: Draft['rows']): string {
  const isLast = rows.every(
    ({ line, pieces, refundedPieces }) => pieces === refundedPieces + Number(typed[line]?.pieces ?? 0),
  )
  const shipping = rows.find(({ line }) => line === 0)
  return isLast && shipping && toRestCents(shipping) > 0 ? toAmountText(toRestCents(shipping)) : ''
}

/** The rows that have a value. */
const listTyped = (rows: Row[], draft: Draft) =>
  rows.filter(({ line }) => {
    const { pieces, amount } = draft.rows[line] ?? emptyRow
    return pieces.trim() !== '' || amount.trim() !== ''
  })

/** Returns errors for more pieces than there are, or null. */
function findTooMany(rows: Row[], draft: Draft): Errors | null {
  const found = listTyped(rows, draft).flatMap(({ line, available }, index) =>
    Number(draft.rows[line]?.pieces ?? 0) > available[draft.kind]
      ? [[`lines.${index}.pieces`, `At most ${available[draft.kind]}`]]
      : [],
  )
  return found.length > 0 ? Object.fromEntries(found) : null
}

/**
 * The rest of a return: of the whole order if it names no items. A withdrawal can be of open items although other items are
 * shipped.
 */
export function fillDraft(rows: Row[], kinds: Kind[], { number, lines, withdrawal }: Return): Draft {
  const countPieces = (row: Row, kind: Kind) => {
    const item = lines.find(({ line }) => line === row.line)
    const wanted = item ? item.pieces - item.refundedPieces : lines.length > 0 ? 0 : row.pieces
    return Math.min(wanted, row.available[kind])
  }
  const kind =
    (['return', 'cancellation'] as const).find((each) => rows.some((row) => countPieces(row, each) > 0)) ??
    kinds[0] ??
    'return'
  const filled: Draft['rows'] = {}
  for (const row of rows) {
    const pieces = countPieces(row, kind)
    if (pieces > 0)
      filled[row.line] = {
        ...emptyRow,
        pieces: String(pieces),
        amount: toAmountText(toWorthCents(row, pieces)),
      }
  }
  filled[0] = { ...emptyRow, amount: proposeShipping(rows, filled) }
  return { kind, rows: filled, reason: withdrawal ? 'Withdrawal' : `Return ${number}` }
}

const toBody = (rows: Row[], draft: Draft) => ({
  kind: draft.kind,
  lines: listTyped(rows, draft).map(({ line, available }) => {
    const values = draft.rows[line] ?? emptyRow
    const pieces = available[draft.kind] > 0 ? Number(values.pieces) : 0
    return {
      line,
      pieces,
      restock: values.isRestocked ? pieces : 0,
      amount: parseOptionalDollars(values.amount),
    }
  }),
  reason: draft.reason,
})
