import { type ReactNode, useState } from 'react'
import { formatDollars } from '../../../contract/money.ts'
import { Button } from '../../ui/button.tsx'
import { focusIfLost } from '../../ui/focus.ts'

interface StartPaymentProps {
  /** Whether the payment starts with a button. */
  isWaiting: boolean
  /** In dollars. */
  total: number
  children: ReactNode
}

/** Starts the payment of a link with a button: programs that check the links of emails open the page too. */
export function StartPayment({ isWaiting, total, children }: StartPaymentProps) {
  const [isStarted, setStarted] = useState(false)
  if (isStarted) {
    return (
      <div
        ref={focusIfLost}
        role="group"
        aria-label="Payment by card"
        tabIndex={-1}
        className="flex flex-col gap-6"
      >
        {children}
      </div>
    )
  }
  if (!isWaiting) return children
  return (
    <Button size="large" onClick={() => setStarted(true)}>
      Pay {formatDollars(total)} by card
    </Button>
  )
}
