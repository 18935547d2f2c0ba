import { useEffect, useState } from 'react'
import type { PlacedPhoneOrder as Placed } from '../../../contract/checkout.ts'
import { formatMoment } from '../../../contract/dates.ts'
import { formatDollars } from '../../../contract/money.ts'
import { scrollToTop } from '../../router/navigation.ts'
import { useSettings } from '../../router/router.tsx'
import { Notice } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { OrderDetailsById } from './order-details.tsx'
import { orderNumber } from './order-labels.tsx'
import { LinkField } from './payment-link.tsx'

interface PlacedPhoneOrderProps {
  order: Placed
  email: string
  onNext: () => void
}

/** The result of an order by phone, with the link that pays it. */
export function PlacedPhoneOrder({
  order: { id, amount, url, payBy },
  email,
  onNext,
}: PlacedPhoneOrderProps) {
  const { mail } = useSettings()
  const [isOpen, setOpen] = useState(false)
  // The form was longer: its scroll position would hide the link.
  useEffect(() => void scrollToTop(), [])
  return (
    <div className="flex max-w-narrow flex-col gap-6 pb-12">
      <Notice title={`Order #${orderNumber(id)} is placed: ${formatDollars(amount)}`}>
        <p className="wrap-anywhere">
          {mail === 'off'
            ? 'This shop sends no email: give the link to the customer.'
            : `We sent the link to ${email}.`}{' '}
          The items are reserved until {formatMoment(payBy)}.
        </p>
      </Notice>
      <LinkField url={url} />
      <div className="flex flex-wrap gap-3">
        <Button onClick={onNext}>New order</Button>
        <Button variant="quiet" onClick={() => setOpen(true)}>
          Show order #{orderNumber(id)}
        </Button>
      </div>
      {isOpen && <OrderDetailsById id={id} onClose={() => setOpen(false)} />}
    </div>
  )
}
