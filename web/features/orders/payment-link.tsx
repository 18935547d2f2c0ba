import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { PaymentLink as SentLink } from '../../../contract/checkout.ts'
import { formatMoment } from '../../../contract/dates.ts'
import type { Order } from '../../../contract/orders.ts'
import { pluralize } from '../../../contract/plurals.ts'
import { call, readMessage } from '../../api.ts'
import { useSettings } from '../../router/router.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { CopyLink } from './copy-link.tsx'
import { PayBy } from './order-labels.tsx'
import { useRefreshOrders } from './queries.ts'

/** The days within which a caller can pay. */
const payWithin = [1, 3, 7, 14]

/** The options of a choice of days. */
export const PayWithinOptions = () =>
  payWithin.map((days) => (
    <option key={days} value={days}>
      {pluralize(days, 'day')}
    </option>
  ))

/** The link that pays an order by phone, to read out, select or copy. */
export const LinkField = ({ url }: { url: string }) => (
  <div className="flex flex-col items-start gap-3">
    <TextField
      label="Payment link"
      readOnly
      value={url}
      className="w-full"
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
    <CopyLink url={url} fallback="Copy the link from the field." />
  </div>
)

interface PaymentLinkProps {
  order: Order
  /** The recipient of the link. */
  email: string
  placedBy: string
}

/** The admin who has placed an order by phone, its last day to pay, and a way to send its link again. */
export function PaymentLink({ order, email, placedBy }: PaymentLinkProps) {
  const headingId = useId()
  const { mail } = useSettings()
  const [days, setDays] = useState('')
  const refresh = useRefreshOrders()
  const send = useMutation<SentLink>({
    mutationFn: () => {
      const body = days === '' ? {} : { payWithinDays: Number(days) }
      return call('sendPaymentLink', { params: { id: order._id }, body })
    },
    // Also after a failure: the order may be paid or cancelled by now.
    onSettled: refresh,
  })
  const isOpen = order.status === 'unpaid' && !order.processing
  return (
    <section aria-labelledby={headingId} className="mt-6 flex flex-col gap-3">
      <h3 id={headingId} className="font-display text-xl font-bold">
        Order by phone
      </h3>
      <p className="wrap-anywhere">
        Placed by {placedBy}
        {isOpen && order.payBy && (
          <>
            , pay by <PayBy order={order} />
          </>
        )}
        .
      </p>
      {isOpen && (
        <>
          <div className="flex flex-wrap items-end gap-3">
            <SelectField
              label="Pay within"
              value={days}
              className="w-44"
              onChange={({ target }) => setDays(target.value)}
            >
              <option value="">As before</option>
              <PayWithinOptions />
            </SelectField>
            <BusyButton variant="quiet" busy={send.isPending} onClick={() => send.mutate()}>
              {mail === 'off' ? 'Show the link' : 'Send the link again'}
            </BusyButton>
          </div>
          {send.isError && <Alert>{readMessage(send.error)}</Alert>}
          <p role="status" className="empty:hidden">
            {send.data &&
              `${mail === 'off' ? 'The' : `Sent to ${email}. The`} link is valid until ${formatMoment(send.data.payBy)}.`}
          </p>
          {send.data && <LinkField url={send.data.url} />}
        </>
      )}
    </section>
  )
}
