import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../contract/dates.ts'
import { describeOrderedFit } from '../../contract/fit-answer.ts'
import { type Return, ReturnDecision, returnReasons } from '../../contract/returns.ts'
import { readMessage } from '../api.ts'
import { ConfirmChange } from '../confirm-change.tsx'
import { searchPath } from '../features/desk/paths.ts'
import { orderNumber } from '../features/orders/order-labels.tsx'
import { orderQuery } from '../features/orders/queries.ts'
import { RefundDialog } from '../features/orders/refund-dialog.tsx'
import { returnPageQuery, useDecideReturn } from '../features/returns/queries.ts'
import { usePermissions } from '../features/staff/permissions.tsx'
import { ListView, useListParams } from '../list-view.tsx'
import { QueryError } from '../query-error.tsx'
import { Alert } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button } from '../ui/button.tsx'
import { Chip, type ChipProps } from '../ui/chip.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Email } from '../ui/email.tsx'
import { TextArea } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'
import { FormButtons } from '../ui/form-buttons.tsx'
import { CheckIcon, CloseIcon } from '../ui/icons.tsx'
import { focusMainIfLost } from '../ui/lost-focus.ts'
import { ClockIcon } from '../ui/order-icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PartSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Returns' })

type Action = 'approve' | 'reject' | 'close' | 'refund'

/** Returns and withdrawals: open ones first. */
export default function Returns() {
  const params = useListParams()
  const { page, pageSize } = params.toQuery([])
  const returns = useQuery(returnPageQuery({ page, pageSize }))
  const [open, setOpen] = useState<{ action: Action; row: Return } | null>(null)
  // A dialog that was closed while it saved closes none that was opened since.
  const close = () => setOpen((now) => (now === open ? null : now))
  const mayDecide = usePermissions().has('refunds')
  const actions = (row: Return) => (
    <span className="flex flex-wrap justify-end gap-2">
      {(mayDecide ? listActions(row) : []).map((action) => (
        <Button
          key={action}
          variant={action === 'approve' || action === 'refund' ? 'primary' : 'quiet'}
          size="small"
          aria-label={`${actionNames[action]} ${row.number}`}
          onClick={() => setOpen({ action, row })}
        >
          {actionNames[action]}
        </Button>
      ))}
    </span>
  )
  return (
    <>
      <PageHead title="Returns" note="Items that customers send back, and withdrawals from the contract." />
      <ListView
        caption="Returns"
        failure="The returns could not be loaded"
        list={returns}
        columns={[...columns, { head: 'Action', actions: true, cell: actions }]}
        rowKey={({ id }) => id}
        params={params}
        empty={
          <EmptyState title="No returns">
            Returns that customers request on the page of their order appear here, and withdrawals.
          </EmptyState>
        }
      />
      {(open?.action === 'approve' || open?.action === 'reject') && (
        <Decide row={open.row} isApproval={open.action === 'approve'} onClose={close} />
      )}
      {open?.action === 'close' && <Close row={open.row} onClose={close} />}
      {open?.action === 'refund' && <RefundReturn row={open.row} onClose={close} />}
    </>
  )
}

const actionNames: Record<Action, string> = {
  approve: 'Approve',
  reject: 'Reject',
  close: 'Close',
  refund: 'Refund',
}

function listActions({ status, orderId, withdrawal, refundBy }: Return): Action[] {
  const isPaid = !withdrawal || refundBy !== undefined
  if (status === 'approved') return isPaid ? ['refund', 'close'] : ['close']
  if (status !== 'requested') return []
  const decisions: Action[] = orderId ? ['approve', 'reject'] : ['reject']
  return withdrawal ? [...decisions, 'close'] : decisions
}

const states: Record<Return['status'], ChipProps> = {
  requested: { tone: 'wait', icon: ClockIcon, children: 'Requested' },
  approved: { tone: 'good', icon: CheckIcon, children: 'Approved' },
  rejected: { tone: 'quiet', icon: CloseIcon, children: 'Rejected' },
  closed: { tone: 'quiet', icon: CheckIcon, children: 'Closed' },
}

const columns: Column<Return>[] = [
  {
    head: 'Return',
    names: true,
    cell: ({ number, withdrawal, name, email }) => (
      <>
        {withdrawal ? 'Withdrawal' : 'Return'} <span className="whitespace-nowrap">{number}</span>
        <span className="block text-sm font-normal text-quiet">
          {name} <Email email={email} />
        </span>
      </>
    ),
  },
  { head: 'Order', cell: (row) => <OrderOfReturn row={row} /> },
  { head: 'Items', cell: (row) => <Items row={row} /> },
  {
    head: 'Received',
    cell: ({ requestedAt, refundBy, status }) => (
      <>
        <time dateTime={requestedAt}>{formatDate(requestedAt)}</time>
        {refundBy && status !== 'closed' && (
          <span className="block text-sm font-semibold text-bad">Refund due by {formatDate(refundBy)}</span>
        )}
      </>
    ),
  },
  { head: 'Status', cell: ({ status }) => <Chip {...states[status]} /> },
]

/** The order, or the choice of one for a withdrawal without it. */
function OrderOfReturn({ row }: { row: Return }) {
  const assign = useDecideReturn(row.id)
  const mayDecide = usePermissions().has('refunds')
  if (row.orderId)
    return (
      <a href={`${searchPath}?q=${row.orderId}`} className="text-signal underline">
        #{orderNumber(row.orderId)}
      </a>
    )
  const candidates = row.candidates ?? []
  return (
    <>
      “{row.orderNumber}”, typed
      {candidates.length === 0 ? (
        <span className="block text-sm text-quiet">No order has this number and email.</span>
      ) : (
        mayDecide &&
        candidates.map(({ id }) => (
          <BusyButton
            key={id}
            variant="quiet"
            size="small"
            className="mt-1 block"
            busy={assign.isPending && assign.variables.orderId === id}
            aria-disabled={assign.isPending}
            onClick={() =>
              assign.mutate({ orderId: id }, { onError: (error) => showToast('error', readMessage(error)) })
            }
          >
            Assign to #{orderNumber(id)}
          </BusyButton>
        ))
      )}
    </>
  )
}

/** The items with their reason, and the answer for the bike when they were ordered. */
function Items({ row: { lines, note } }: { row: Return }) {
  return (
    <>
      {lines.length === 0 && 'The whole order'}
      {lines.map(({ line, name, pieces, reason, refundedPieces, fit }) => (
        <span key={line} className="mb-2 block">
          {pieces} × {name}
          {reason && <span className="block text-sm text-quiet">{returnReasons[reason]}</span>}
          {fit && (
            <span className="block text-sm whitespace-pre-line text-quiet">
              {describeOrderedFit(fit).join('\n')}
            </span>
          )}
          {refundedPieces > 0 && <span className="block text-sm text-quiet">{refundedPieces} refunded</span>}
        </span>
      ))}
      {note && <span className="block text-sm wrap-anywhere text-quiet">“{note}”</span>}
    </>
  )
}

interface RowDialogProps {
  row: Return
  onClose: () => void
}

/** Approves or rejects a return with a reply. */
function Decide({ row, isApproval, onClose }: RowDialogProps & { isApproval: boolean }) {
  const decide = useDecideReturn(row.id)
  const status = isApproval ? 'approved' : 'rejected'
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm<ReturnDecision, void>({
    schema: ReturnDecision,
    defaultValues: { status, reply: '' },
    async send(values) {
      await decide.mutateAsync(values)
      showToast('success', isApproval ? 'Return approved' : 'Return rejected')
      onClose()
      // The button that opened the dialog disappears.
      focusMainIfLost()
    },
  })
  return (
    <Dialog
      title={`${isApproval ? 'Approve' : 'Reject'} ${row.number}`}
      onClose={onClose}
      isUnsaved={form.formState.isDirty && !isSubmitting}
    >
      <form {...formProps} className="flex flex-col gap-4">
        <TextArea
          label={isApproval ? 'Return address and instructions (optional)' : 'Reason'}
          rows={4}
          hint={
            isApproval
              ? 'The customer reads it. Without it, the email has the address of the shop, if items were shipped.'
              : 'The customer reads it'
          }
          {...field('reply')}
        />
        {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
        <FormButtons
          submit={isApproval ? 'Approve' : 'Reject'}
          variant={isApproval ? 'primary' : 'danger'}
          busy={isSubmitting}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

/** Closes a return or a withdrawal whose items do not come back. */
function Close({ row, onClose }: RowDialogProps) {
  const decide = useDecideReturn(row.id)
  return (
    <ConfirmChange
      title={`Close ${row.number}`}
      change={decide}
      input={{ status: 'closed' }}
      onClose={onClose}
    >
      {row.status === 'requested'
        ? 'No items have to come back, and the customer gets no email. What is paid is not refunded: refund it on the order.'
        : 'Items that are not refunded cannot be refunded for this return afterwards.'}
    </ConfirmChange>
  )
}

/** Refunds the items of a return. */
function RefundReturn({ row, onClose }: RowDialogProps) {
  const query = orderQuery(row.orderId ?? '')
  // The dialog keeps the order with which it opens. An order from the cache could lack the refund of an earlier return.
  const order = useQuery({ ...query, queryKey: [...query.queryKey, 'refund', row.id], gcTime: 0 })
  if (order.data) return <RefundDialog order={order.data} returned={row} onClose={onClose} />
  return (
    <Dialog title={`Refund ${row.number}`} onClose={onClose}>
      {order.isError ? (
        <QueryError title="The order could not be loaded" query={order} />
      ) : (
        <PartSpinner className="my-8 size-12" />
      )}
    </Dialog>
  )
}
