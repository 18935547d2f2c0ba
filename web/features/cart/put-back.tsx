import { useState } from 'react'
import { readMessage } from '../../api.ts'
import { navigate } from '../../router/navigation.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'

interface PutBackProps {
  orderId: string
  /** Empty for the order of a customer. */
  orderKey: string
}

/** Button that puts the items of a cancelled order back into the cart, and opens it. */
export function PutBack({ orderId, orderKey }: PutBackProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const press = async () => {
    setBusy(true)
    setFailure('')
    const message = await putBack(orderId, orderKey)
    setBusy(false)
    if (message) setFailure(message)
    else navigate('/cart')
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <BusyButton busy={isBusy} onClick={press}>
        Put the items back into the cart
      </BusyButton>
      {failure && <Alert>{failure}</Alert>}
    </div>
  )
}

/** Returns the message of a failure, or an empty text. */
const putBack = (orderId: string, orderKey: string): Promise<string> =>
  Promise.all([import('./cart.ts'), import('./returned-lines.ts')]).then(
    ([{ explainFailure }, { putBackOrder }]) => explainFailure(putBackOrder(orderId, orderKey)),
    readMessage,
  )
