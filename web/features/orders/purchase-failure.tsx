import { formatDollars } from '../../../contract/money.ts'
import { ApiError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

export interface PurchaseFailureProps {
  error: unknown
  /** Ordered quantity, in pieces. */
  quantity: number
  busy: boolean
  /** Sends the order again at the current price. */
  onGoOn: () => void
}

/** Error message of a failed order, with the next step. */
export function PurchaseFailure({ error, quantity, busy, onGoOn }: PurchaseFailureProps) {
  const { code, amount } = read(error)
  if (code === 'PRICE_CHANGED' && amount !== null) {
    return (
      <Alert>
        <p>
          The price is now {formatDollars(amount / quantity)} each, {formatDollars(amount)} in total. No order
          was placed.
        </p>
        <Button variant="ink" size="small" className="mt-3" busy={busy} onClick={onGoOn}>
          Order at the new price
        </Button>
      </Alert>
    )
  }
  if (code === 'NO_ANSWER' || code === 'INTERNAL') {
    return <Alert>{readMessage(error)} Press Place Order again. You will not place the order twice.</Alert>
  }
  return <Alert>{readMessage(error)}</Alert>
}

function read(error: unknown): { code: string; amount: number | null } {
  if (!(error instanceof ApiError)) return { code: '', amount: null }
  const { amount } = error.details
  return { code: error.code, amount: typeof amount === 'number' ? amount : null }
}
