import { useState } from 'react'
import type { OrderLine } from '../../../contract/orders.ts'
import { readMessage } from '../../api.ts'
import { navigate } from '../../router/navigation.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'

/** Button that puts the items of a cancelled order back into the cart, and opens it. */
export function PutBack({ lines }: { lines: OrderLine[] }) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const press = async () => {
    setBusy(true)
    setFailure('')
    const message = await putBack(lines)
    setBusy(false)
    if (message) setFailure(message)
    else navigate('/cart')
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <Button busy={isBusy} onClick={press}>
        Put the items back into the cart
      </Button>
      {failure && <Alert>{failure}</Alert>}
    </div>
  )
}

/** Returns the message of a failure, or an empty text. */
const putBack = (lines: OrderLine[]): Promise<string> =>
  Promise.all([import('./cart.ts'), import('./returned-lines.ts')]).then(
    ([{ explainFailure }, { putBackOrder }]) => explainFailure(putBackOrder(lines)),
    readMessage,
  )
