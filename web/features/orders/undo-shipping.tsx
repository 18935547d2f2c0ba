import { useEffect, useState } from 'react'
import type { Shipment } from '../../../contract/shipments.ts'
import { ApiError, readMessage } from '../../api.ts'
import { isTemporary } from '../../retry.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useSetBackShipment } from './queries.ts'

interface UndoShippingProps {
  /** The order whose row in a work list changes. */
  orderId?: string
  shipment: Shipment
  /** Names the shipment, such as `#a1b2c3 shipped`. */
  children: string
  /** Called when the shipment was set back, or can no longer be undone here. */
  onEnd: (isUndone: boolean) => void
  /** Called after a click, when the button has no use for the focus. */
  onClick?: () => void
}

/** Offers to undo a new shipment, until its email leaves. */
export function UndoShipping({ orderId, shipment, children, onEnd, onClick }: UndoShippingProps) {
  const { id, shippedAt, undoUntil = shippedAt } = shipment
  const setBack = useSetBackShipment(id, orderId)
  const [end] = useState(() => onEnd)
  // The browser and the shop may have different clocks.
  const undoMs = Date.parse(undoUntil) - Date.parse(shippedAt)
  const { isPending } = setBack
  useEffect(() => {
    // The answer to an undo ends it: until then the button stays, so that a refusal is shown.
    if (isPending) return
    const timer = setTimeout(() => end(false), undoMs)
    return () => clearTimeout(timer)
  }, [end, undoMs, isPending])
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {/* Hidden in a list on a phone, so that the row keeps its height. Its status has the same meaning. */}
      <span
        className={`inline-flex items-center gap-1.5 text-sm font-semibold text-good ${orderId ? 'max-md:sr-only' : ''}`}
      >
        <CheckIcon className="size-4" />
        {children}
      </span>
      <BusyButton
        variant="quiet"
        size="small"
        busy={isPending}
        onClick={({ detail }) => {
          // The second click of a double click was for the button that Undo has replaced.
          if (detail > 1) return
          onClick?.()
          // A promise, because the callbacks of `mutate` are not called when the row has left the list.
          setBack.mutateAsync().then(
            () => onEnd(true),
            (error: unknown) => {
              showToast('error', explain(error))
              if (!isTemporary(error)) onEnd(false)
            },
          )
        }}
      >
        Undo
      </BusyButton>
    </span>
  )
}

/** The email has left: the dialog of the order asks for the reason that the customer gets. */
const explain = (error: unknown): string =>
  error instanceof ApiError && error.code === 'REASON_REQUIRED'
    ? "Too late to undo: the customer has been notified. Set the shipment back in the order's details."
    : readMessage(error)
