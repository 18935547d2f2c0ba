import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoment } from '../../contract/dates.ts'
import { formatDollars } from '../../contract/money.ts'
import { ClosedRefund, type Refund } from '../../contract/payments.ts'
import { readMessage } from '../api.ts'
import { startOfDay } from '../day-range.ts'
import { searchPath } from '../features/desk/paths.ts'
import { ExportForm } from '../features/imports/export-button.tsx'
import { DayFilter } from '../features/orders/day-filter.tsx'
import { RefundChip } from '../features/orders/order-chips.tsx'
import { orderNumber, refundReason } from '../features/orders/order-labels.tsx'
import { refundPageQuery, useCloseRefund } from '../features/orders/queries.ts'
import { usePermissions } from '../features/staff/permissions.tsx'
import { ListView, useListParams } from '../list-view.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Email } from '../ui/email.tsx'
import { TextField } from '../ui/field.tsx'
import { useCheckedForm } from '../ui/form.ts'
import { FormButtons } from '../ui/form-buttons.tsx'
import { focusMainIfLost } from '../ui/lost-focus.ts'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Refunds' })

/** All refunds, or the failed ones, of all or some days, newest first. */
export default function Refunds() {
  const params = useListParams()
  const { page, pageSize } = params.toQuery([])
  const status = params.filter('status') === 'failed' ? 'failed' : undefined
  const days = { from: params.filter('from'), to: params.filter('to') }
  const filters = { status, from: startOfDay(days.from, 0), to: startOfDay(days.to, 1) } as const
  const refunds = useQuery(refundPageQuery({ page, pageSize, ...filters }))
  const [closed, setClosed] = useState<Refund | null>(null)
  // A dialog that was closed while it saved closes none that was opened since.
  const close = () => setClosed((now) => (now === closed ? null : now))
  const mayClose = usePermissions().has('refunds')
  const action = (refund: Refund) =>
    mayClose &&
    refund.status === 'failed' && (
      <Button
        variant="quiet"
        size="small"
        aria-label={`Close the refund of ${formatDollars(refund.amount)} for #${orderNumber(refund.orderId)}`}
        // A copy: the same refund may be opened again while it is saved.
        onClick={() => setClosed({ ...refund })}
      >
        Close
      </Button>
    )
  return (
    <>
      <PageHead
        title="Refunds"
        note="The list has refunds of orders, and of payments without a matching order. The shop sends them to the card automatically."
      >
        <LinkButton variant="quiet" href={params.filterLink('status', status ? '' : 'failed')}>
          {status ? 'All refunds' : 'Failed refunds'}
        </LinkButton>
      </PageHead>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <DayFilter days={days} />
        <ExportForm route="exportRefunds" query={filters} />
      </div>
      <ListView
        caption="Refunds"
        failure="The refunds could not be loaded"
        list={refunds}
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={({ id }) => id}
        params={params}
        empty={
          filters.from || filters.to ? (
            <EmptyState
              title="No results"
              action={<LinkButton href="/dashboard/refunds">Show all</LinkButton>}
            >
              No refund matches these filters.
            </EmptyState>
          ) : status ? (
            <EmptyState title="No failed refunds">
              Refunds that could not be sent to the card appear here.
            </EmptyState>
          ) : (
            <EmptyState title="No refunds">
              Cancelled orders that were paid appear here, and payments for cancelled orders, for orders that
              were already paid, or with a wrong amount.
            </EmptyState>
          )
        }
      />
      {closed && <CloseRefund refund={closed} onClose={close} />}
    </>
  )
}

/** Asks how the customer got the money, and closes a failed refund. */
function CloseRefund({ refund: { id, amount, orderId }, onClose }: { refund: Refund; onClose: () => void }) {
  const close = useCloseRefund(id)
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm<ClosedRefund, void>({
    schema: ClosedRefund,
    defaultValues: { note: '' },
    async send({ note }) {
      await close.mutateAsync(note)
      showToast('success', 'Refund closed')
      onClose()
      // The button that opened the dialog disappears.
      focusMainIfLost()
    },
  })
  return (
    <Dialog
      title={`Close refund for #${orderNumber(orderId)}`}
      onClose={onClose}
      isUnsaved={form.formState.isDirty && !isSubmitting}
    >
      <form {...formProps} className="flex flex-col gap-4">
        <p>The shop stops trying to send {formatDollars(amount)} to the card. It still counts as refunded.</p>
        <TextField
          label="How did the customer get the money?"
          hint="For example: Bank transfer of 3 March"
          autoComplete="off"
          {...field('note')}
        />
        {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
        <FormButtons submit="Close refund" busy={isSubmitting} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

const moment = (at: string) => (
  <time dateTime={at} className="tabular-nums">
    {formatMoment(at)}
  </time>
)

const columns: Column<Refund>[] = [
  {
    head: 'Order',
    names: true,
    cell: ({ orderId, customerEmail = '' }) => (
      <>
        <a href={`${searchPath}?q=${orderId}`} className="text-signal underline">
          #{orderNumber(orderId)}
        </a>
        <span className="block text-sm font-normal text-quiet">
          <Email email={customerEmail} />
        </span>
      </>
    ),
  },
  { head: 'Amount', numeric: true, cell: ({ amount }) => formatDollars(amount) },
  { head: 'Reason', cell: refundReason },
  { head: 'Created', cell: ({ createdAt }) => moment(createdAt) },
  { head: 'Status', cell: (refund) => <State refund={refund} /> },
  {
    head: 'Payment IDs',
    cell: ({ intentId, refundId }) => (
      <span className="text-sm break-all">
        {intentId}
        {refundId && <span className="block">{refundId}</span>}
      </span>
    ),
  },
]

/** State of a refund: its completion time or next check, and the last error. */
function State({ refund }: { refund: Refund }) {
  const { status, updatedAt, nextAttemptAt, failures, failure, note } = refund
  return (
    <>
      <RefundChip refund={refund} />
      <span className="mt-1 block text-sm text-quiet">
        {status === 'succeeded' && moment(updatedAt)}
        {nextAttemptAt && <>Next attempt {moment(nextAttemptAt)}</>}
        {note}
      </span>
      {failure && (
        <span className="block text-sm wrap-anywhere text-bad">
          Failed {failures === 1 ? 'once' : `${failures} times`}: {failure}
        </span>
      )}
    </>
  )
}
