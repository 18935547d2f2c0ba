import type { OrderDetails } from '../../../contract/checkout.ts'
import { formatDate } from '../../../contract/dates.ts'
import { nameItem } from '../../../contract/item-names.ts'
import type { Return } from '../../../contract/returns.ts'
import { useDialogOnDemand } from '../../dialog-on-demand.ts'
import { onDemand } from '../../on-demand.ts'
import { useSettings } from '../../router/router.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'

const requesting = onDemand(() => import('./return-dialog.tsx'))

interface ReturnsProps {
  order: OrderDetails
  /** Empty without a key. */
  orderKey: string
  isBuyer: boolean
}

/** The returns of an order, with the ways to request one and to withdraw from the contract. */
export function Returns({ order, orderKey, isBuyer }: ReturnsProps) {
  const { withdrawal } = useSettings()
  // A process of the previous version does not send them.
  const returns = order.returns ?? []
  const canWithdraw = withdrawal && isBuyer && order.status !== 'cancelled' && order.status !== 'refunded'
  return (
    <>
      {returns.length > 0 && (
        <section aria-label="Returns" className="flex flex-col gap-3">
          {returns.map((each) => (
            <ReturnState key={each.id} order={order} returned={each} />
          ))}
        </section>
      )}
      {isBuyer && <RequestReturn order={order} orderKey={orderKey} />}
      {canWithdraw && (
        <a
          href={`/withdraw?order=${order.id}#${orderKey}`}
          className="inline-flex min-h-11 items-center self-start text-signal underline"
        >
          Withdraw from contract here
        </a>
      )}
    </>
  )
}

const states: Record<Return['status'], string> = {
  requested: 'We have received your request and will answer it by email.',
  approved: 'Approved. Write the number on the parcel.',
  rejected: "We can't accept this return.",
  closed: 'Closed.',
}

function ReturnState({ order, returned }: { order: OrderDetails; returned: Return }) {
  const { number, withdrawal, status, reply, requestedAt, lines } = returned
  const isShipped = order.lines.some(
    ({ shippedPieces }, index) =>
      shippedPieces > 0 && (lines.length === 0 || lines.some(({ line }) => line === index + 1)),
  )
  const state =
    withdrawal && status === 'closed'
      ? 'We have received and processed it.'
      : status === 'approved' && !isShipped
        ? "Approved. You don't need to send anything back."
        : states[status]
  return (
    <div className="rounded-card border border-line bg-surface p-5">
      <p className="font-semibold">
        {withdrawal ? `Withdrawal of ${formatDate(requestedAt)}` : `Return ${number}`}
      </p>
      <ul className="mt-1 text-quiet">
        {lines.map(({ line, pieces }) => (
          <li key={line}>
            {pieces} × {order.lines[line - 1]?.name}
          </li>
        ))}
      </ul>
      <p className="mt-2">
        {state}
        {withdrawal && status === 'approved' && isShipped && ` The number is ${number}.`}
      </p>
      {reply && <p className="mt-2 whitespace-pre-line wrap-anywhere">{reply}</p>}
    </div>
  )
}

/** Opens the form for a return. There is no button if no item can be returned. */
function RequestReturn({ order, orderKey }: Omit<ReturnsProps, 'isBuyer'>) {
  const { isLoading, code, open, close } = useDialogOnDemand(requesting.load, requesting.useCode())
  const returnable = listReturnable(order)
  return (
    <>
      {returnable.length > 0 && (
        <BusyButton variant="quiet" className="self-start" busy={isLoading} onClick={open}>
          Return items
        </BusyButton>
      )}
      {/* After a lost response the items are in a return already: the form stays until it has its answer. */}
      {code && <code.ReturnDialog id={order.id} orderKey={orderKey} items={returnable} onClose={close} />}
    </>
  )
}

/** A line with the pieces that can be sent back. */
export interface ReturnableItem {
  line: number
  name: string
  pieces: number
  /** The bike and the answer when it was ordered. */
  fit: OrderDetails['lines'][number]['fit']
}

// A process of the previous version sends none.
const listReturnable = ({ lines, returnable }: Partial<OrderDetails>): ReturnableItem[] =>
  (returnable ?? []).flatMap(({ line, pieces }) => {
    const ordered = lines?.[line - 1]
    if (!ordered) return []
    return [{ line, name: nameItem(ordered), pieces, fit: ordered.fit }]
  })
