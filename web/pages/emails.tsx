import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoment } from '../../contract/dates.ts'
import type { FailedEmail } from '../../contract/emails.ts'
import { readMessage } from '../api.ts'
import { ConfirmChange } from '../confirm-change.tsx'
import { searchPath } from '../features/desk/paths.ts'
import { orderNumber } from '../features/orders/order-labels.tsx'
import { emailPageQuery, useDeleteEmail, useRetryEmail } from '../features/orders/queries.ts'
import { ListView, useListParams } from '../list-view.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Email } from '../ui/email.tsx'
import { focusMainIfLost } from '../ui/lost-focus.ts'
import { PageHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Failed Emails' })

/** The emails about orders that could not be sent, the last one first. */
export default function Emails() {
  const params = useListParams()
  const { page, pageSize } = params.toQuery([])
  const emails = useQuery(emailPageQuery({ page, pageSize }))
  const [deleted, setDeleted] = useState<FailedEmail | null>(null)
  const action = (email: FailedEmail) => (
    <span className="flex flex-wrap justify-end gap-2">
      <RetryButton email={email} />
      <Button
        variant="danger"
        size="small"
        aria-label={`Delete ${describe(email)}`}
        onClick={() => setDeleted(email)}
      >
        Delete
      </Button>
    </span>
  )
  return (
    <>
      <PageHead title="Failed Emails" note="Emails about orders that the mail server did not accept." />
      <ListView
        caption="Failed emails"
        failure="The emails could not be loaded"
        list={emails}
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={({ id }) => id}
        params={params}
        empty={
          <EmptyState title="No failed emails">
            An email appears here if its mailbox does not exist, or if the mail server was unavailable for a
            week.
          </EmptyState>
        }
      />
      {deleted && <DeleteDialog email={deleted} onClose={() => setDeleted(null)} />}
    </>
  )
}

const kinds: Record<FailedEmail['kind'], string> = {
  'order-placed': 'Awaits payment',
  'order-received': 'Payment received',
  'order-shipped': 'Shipped',
  'order-cancelled': 'Cancelled',
  'order-expired': 'Not paid in time',
  'order-refunded': 'Refund or cancelled items',
  'return-approved': 'Return approved',
  'return-rejected': 'Return rejected',
  'withdrawal-received': 'Withdrawal received',
  'shipment-sent': 'Shipped',
  'tracking-added': 'Tracking added',
  'shipment-withdrawn': 'Not shipped yet',
  'payment-link': 'Payment link',
}

const describe = ({ kind, email }: FailedEmail): string => `“${kinds[kind]}” to ${email}`

const columns: Column<FailedEmail>[] = [
  {
    head: 'Email',
    names: true,
    cell: ({ kind, email }) => (
      <>
        {kinds[kind]}
        <span className="block text-sm font-normal">
          <Email email={email} />
        </span>
      </>
    ),
  },
  {
    head: 'Order',
    cell: ({ orderId }) =>
      orderId ? (
        <a href={`${searchPath}?q=${orderId}`} className="text-signal underline">
          #{orderNumber(orderId)}
        </a>
      ) : (
        '–'
      ),
  },
  { head: 'Failed', cell: ({ failedAt }) => <time dateTime={failedAt}>{formatMoment(failedAt)}</time> },
  {
    head: 'Reason',
    cell: ({ reason, codes }) => (
      <>
        {reason === 'mailbox' ? 'This mailbox does not exist.' : 'The mail server was unavailable.'}
        {codes && <span className="block text-sm text-quiet">{codes}</span>}
      </>
    ),
  },
]

function RetryButton({ email }: { email: FailedEmail }) {
  const retry = useRetryEmail()
  return (
    <BusyButton
      variant="quiet"
      size="small"
      busy={retry.isPending}
      aria-label={`Send again: ${describe(email)}`}
      onClick={() =>
        retry.mutate(email.id, {
          onSuccess: () => {
            showToast('success', 'Sending it again')
            // The row disappears.
            focusMainIfLost()
          },
          onError: (error) => showToast('error', readMessage(error)),
        })
      }
    >
      Send again
    </BusyButton>
  )
}

function DeleteDialog({ email, onClose }: { email: FailedEmail; onClose: () => void }) {
  return (
    <ConfirmChange title="Delete this email" change={useDeleteEmail()} input={email.id} onClose={onClose}>
      {describe(email)} will not be sent.
    </ConfirmChange>
  )
}
