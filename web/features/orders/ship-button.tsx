import type { Order } from '../../../contract/orders.ts'
import type { Shipment } from '../../../contract/shipments.ts'
import { useDialogOnDemand } from '../../dialog-on-demand.ts'
import { onDemand } from '../../on-demand.ts'
import { BusyButton } from '../../ui/busy-button.tsx'

const dialogs = onDemand(() => import('./ship-dialog.tsx'))

/**
 * Opens the dialog that ships the open lines of a paid order. Renders nothing if there are none. It is disabled
 * until the lines are loaded, so that the buttons beside it do not move.
 */
export function ShipButton({ order }: { order: Order }) {
  const { isOpen, isLoading, code, open, close } = useDialogOnDemand(dialogs.load, dialogs.useCode())
  const canShip =
    order.status === 'paid' && (!order.lines || order.lines.some(({ openPieces }) => openPieces > 0))
  // Another admin may ship the order while the dialog is open.
  if (!canShip && !isOpen) return null
  return (
    <>
      <BusyButton busy={isLoading} disabled={!order.lines} onClick={open}>
        {order.pickup ? 'Ready for pickup' : 'Ship'}
      </BusyButton>
      {code && <code.ShipDialog order={order} onClose={close} />}
    </>
  )
}

/** Opens the dialog that changes the tracking of a shipment. */
export function TrackingButton({ order, shipment }: { order: Order; shipment: Shipment }) {
  const { isLoading, code, open, close } = useDialogOnDemand(dialogs.load, dialogs.useCode())
  return (
    <>
      <BusyButton variant="quiet" size="small" busy={isLoading} onClick={open}>
        {shipment.trackingNumbers.length > 0 ? 'Edit tracking' : 'Add tracking'}
      </BusyButton>
      {code && <code.TrackingDialog order={order} shipment={shipment} onClose={close} />}
    </>
  )
}

/** Opens the dialog that sets a shipment back. */
export function SetBackButton({ order, shipment }: { order: Order; shipment: Shipment }) {
  const { isLoading, code, open, close } = useDialogOnDemand(dialogs.load, dialogs.useCode())
  return (
    <>
      <BusyButton variant="quiet" size="small" busy={isLoading} onClick={open}>
        Set back
      </BusyButton>
      {code && <code.SetBackDialog order={order} shipment={shipment} onClose={close} />}
    </>
  )
}
