import type { Order } from '../../../contract/orders.ts'
import { messageOf } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.ts'
import { orderNumber } from './order-words.ts'
import { useCancelOrder } from './queries.ts'

/** Asks once more before an order is cancelled. */
export function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const cancel = useCancelOrder()
  const confirm = () =>
    cancel.mutate(order._id, {
      onSuccess: () => {
        showToast('success', 'Order Canceled Successfully')
        onClose()
      },
    })
  return (
    <Dialog
      title="You are about to cancel your order"
      onClose={onClose}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            No
          </Button>
          <Button look="danger" busy={cancel.isPending} onClick={confirm}>
            Yes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-lg">Are you sure?</p>
        <p className="text-quiet">
          Order #{orderNumber(order._id)}: {order.quantity} × {order.productName}. The pieces go back into the
          stock.
        </p>
        {cancel.isError && <Alert>{messageOf(cancel.error)}</Alert>}
      </div>
    </Dialog>
  )
}
