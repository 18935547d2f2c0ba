import type { ComponentProps, ReactNode } from 'react'
import { ApiError, isClientError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Slow } from '../../ui/slow.tsx'
import type { useAttempt } from './attempt.ts'

type SentOrder = Pick<ReturnType<typeof useAttempt>, 'isSending' | 'retry'>

const placeOrder = 'Place Order'

interface PlaceOrderProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  /** Id of the text that explains why the order cannot be placed; undefined if it can. */
  blockedBy: string | undefined
  label?: string
}

/** The button of an order form. */
export const PlaceOrder = ({ blockedBy, label = placeOrder, ...props }: PlaceOrderProps) => (
  <Button
    {...props}
    type="submit"
    size="large"
    {...(blockedBy && { 'aria-disabled': true, 'aria-describedby': blockedBy })}
  >
    {label}
  </Button>
)

/** Shown while an order that was sent has no answer. */
export const WaitingOrder = ({ attempt, className }: { attempt: SentOrder; className?: string }) =>
  attempt.isSending && (
    <div aria-live="polite" className={className}>
      <Slow text="We are still waiting for an answer. You will not order twice." onRetry={attempt.retry} />
    </div>
  )

interface OrderFailureProps {
  /** Undefined for an order before a reload, which got no answer. */
  error: unknown
  /** A guest has no list of orders. */
  isGuest?: boolean
  /** The name of the button that sends the order. */
  button?: string
  /** More about the error. */
  children?: ReactNode
}

/** The reason why an order was not placed, and the next step. */
export function OrderFailure({ error, isGuest = false, button = placeOrder, children }: OrderFailureProps) {
  const { code, fields } = error instanceof ApiError ? error : { code: '', fields: {} }
  const messages = [
    error === undefined ? 'We did not get an answer.' : readMessage(error),
    ...Object.values(fields),
  ]
  return (
    // Far from the button.
    <Alert takesFocus={error !== undefined}>
      {messages.join(' ')}
      {children}
      {code === 'TOO_MANY_OPEN_ORDERS' && !isGuest && <MyOrdersLink />}
      {!isClientError(error) && ` Press ${button} again. You will not order twice.`}
    </Alert>
  )
}

interface CheckFirstProps {
  /** Names what to check: by default the typed code, which is applied first, and its total. */
  check?: string
  button?: string
}

/** Shown if the button was pressed before the total was known. */
export const CheckFirst = ({ check = 'the code and the total', button = placeOrder }: CheckFirstProps) => (
  <Alert>{`The order is not placed yet. Check ${check}, then press ${button} again.`}</Alert>
)

/** The way on for a customer with too many unpaid orders. */
const MyOrdersLink = () => (
  <a href="/dashboard/my-orders" className="mt-2 block font-semibold underline">
    My Orders
  </a>
)
