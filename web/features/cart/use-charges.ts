import { useEffect, useState } from 'react'
import type { Quote, QuoteDestination } from '../../../contract/quote.ts'
import { call } from '../../api.ts'
import { explain } from '../../owner-store.ts'
import type { Cart } from './cart.ts'

/** The charges of a cart for a destination, and the options that the buyer has. */
export type Charged = Pick<Quote, 'charges' | 'shippingOptions' | 'shippingRate' | 'problems'>

interface ChargesState {
  /** Null until they are known. */
  charged: Charged | null
  isLoading: boolean
  /** Message of the last failure, or an empty text. */
  failure: string
  reload: () => void
}

/** Waits until the buyer pauses, instead of a request for each typed character. */
const pauseMs = 400

const toRequest = ({ lines }: Cart, destination: QuoteDestination, shippingRate: string | undefined) => ({
  lines: lines.map(({ variantId, quantity, size, colour }) => ({ variantId, quantity, size, colour })),
  destination,
  shippingRate,
})

/**
 * Prices the cart for a destination, again after each change of either. Does nothing while the cart has no charges.
 *
 * @param destination null until its country is known
 */
export function useCharges(
  cart: Cart,
  destination: QuoteDestination | null,
  shippingRate: string | undefined,
): ChargesState {
  const [version, setVersion] = useState(0)
  const isPriced = cart.chargesAtCheckout && destination !== null
  /** The request as text, which changes only with its values. */
  const text = isPriced ? JSON.stringify(toRequest(cart, destination, shippingRate)) : null
  const key = text && `${version} ${text}`
  const [found, setFound] = useState<{ key: string; charged: Charged | null; failure: string } | null>(null)

  useEffect(() => {
    if (text === null || key === null) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const body = JSON.parse(text) as ReturnType<typeof toRequest>
      call('quoteCart', { body, signal: controller.signal }).then(
        (charged) => setFound({ key, charged, failure: '' }),
        (error: unknown) => {
          if (!controller.signal.aborted) setFound({ key, charged: null, failure: explain(error) })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, key])

  const isCurrent = found?.key === key
  return {
    charged: key === null ? null : (found?.charged ?? null),
    isLoading: key !== null && !isCurrent,
    failure: isCurrent ? (found?.failure ?? '') : '',
    reload: () => setVersion((old) => old + 1),
  }
}
