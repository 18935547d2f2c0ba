import { useState } from 'react'
import { readBikeId, withBike } from '../../../contract/bike-urls.ts'
import { applyChoice, explainUnavailable, toCartLine } from '../../../contract/choice.ts'
import { choiceSearch, missingHash, readChoice } from '../../../contract/choice-urls.ts'
import { isAvailable, productPath } from '../../../contract/product.ts'
import { call, readMessage } from '../../api.ts'
import { navigate } from '../../router/navigation.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { checkFit } from '../fit/on-demand.tsx'

const purchasePath = /^\/purchase\/([^/?#]+)/

/**
 * The way on for a visitor whom Buy Now has led to the login: an order needs no account.
 *
 * @param from the path to return to after the login; nothing is shown unless it is the page of a purchase
 */
export function OrderWithoutAccount({ from }: { from: string }) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState('')
  const id = purchasePath.exec(from)?.[1]
  if (id === undefined) return null
  const press = async () => {
    setBusy(true)
    setFailure('')
    const message = await order(decodeURIComponent(id), new URL(from, window.location.origin).search).catch(
      readMessage,
    )
    setBusy(false)
    setFailure(message)
  }
  return (
    <div className="flex flex-col gap-3 rounded-card bg-shade p-4">
      <p>You don't need an account: your item goes into the cart, and we send the order to your email.</p>
      <BusyButton variant="ink" busy={isBusy} onClick={press}>
        Order without an account
      </BusyButton>
      {failure && <Alert>{failure}</Alert>}
      <p className="text-sm text-quiet">
        With an account you see all your orders in one place, and your addresses and bikes are saved for the
        next one.
      </p>
    </div>
  )
}

/**
 * Puts the item of a purchase into the cart and opens checkout. A line that has it gets the larger quantity. If a choice is missing, the page of the product asks for
 * it. If the item cannot be bought, that page opens with the reason. Returns the message of a failure, or an empty text.
 */
async function order(id: string, search: string): Promise<string> {
  const product = await call('getProduct', { params: { id } })
  const wanted = readChoice(search)
  const chosen = applyChoice(product, wanted)
  const quantity = Number(new URLSearchParams(search).get('quantity'))
  const line = toCartLine(chosen, Math.max(quantity || 0, product.minimum))
  const isSold = isAvailable(chosen.product.quantity, product.minimum)
  const bike = readBikeId(search)
  const [missing] = chosen.missing
  if (!line || !isSold || missing) {
    const asked = isSold && missing ? missingHash(missing) : ''
    navigate(withBike(productPath(product) + choiceSearch(wanted), bike) + asked, { replace: true })
    if (!asked) showToast('warning', explainUnavailable(chosen) ?? 'Out of stock.')
    return ''
  }
  const ordered = bike === null ? await checkFit(product, 'Add anyway') : { bike }
  if (!ordered) return ''
  const cart = await import('./cart.ts')
  // A guest who comes back from checkout and orders again wants the same pieces. None more still changes the bike.
  const same = cart.readLines().find((each) => cart.toLineId(each) === cart.toLineId(line))
  const pieces = Math.max(line.quantity - (same?.quantity ?? 0), 0)
  const message = await cart.addOrExplain({ ...line, ...ordered, quantity: pieces })
  if (!message) navigate('/checkout', { replace: true })
  return message
}
