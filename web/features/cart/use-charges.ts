import { useEffect, useState } from 'react'
import type { ChargeChoice, Quote, QuoteDestination, QuoteProblem } from '../../../contract/quote.ts'
import { call } from '../../api.ts'
import { explain } from '../../owner-store.ts'
import { isObject, readFromTab, removeFromTab, storeInTab } from '../../tab-storage.ts'
import type { Cart } from './cart.ts'

/** The charges of a cart for a destination, and the options that the buyer has. */
export type Charged = Pick<Quote, 'charges' | 'shippingOptions' | 'shippingRate' | 'coupon' | 'problems'>

/** The choices of the buyer, which a reload keeps. */
const choiceName = 'charges'
/** Returns the stored choices of this buyer, or of a guest, who may have logged in since. */
export function readChoice(name: string, buyer: string | null): ChargeChoice {
  const stored = readFromTab(name)
  if (!isObject(stored)) return {}
  const { shippingRate, coupon } = stored
  if (typeof stored.buyer === 'string' && stored.buyer !== buyer) return {}
  return {
    ...(typeof shippingRate === 'string' && { shippingRate }),
    ...(typeof coupon === 'string' && { coupon }),
  }
}
export const removeChoice = (name = choiceName): void => removeFromTab(name)

/** Waits until the buyer pauses, instead of a request for each typed character. */
const pauseMs = 400

const toRequest = ({ lines }: Cart, destination: QuoteDestination, choice: ChargeChoice) => ({
  lines: lines.map(({ variantId, quantity, size, colour }) => ({ variantId, quantity, size, colour })),
  destination,
  ...choice,
})

/** Whether the code of the buyer has the problem. The charges then are those without the code. */
const isOfCoupon = ({ code }: QuoteProblem) => code !== 'NO_SHIPPING' && code !== 'ADDRESS_INCOMPLETE'

/**
 * Prices the cart for a destination and the choices of the buyer, again after each change. Does nothing while the cart has
 * no charges and the buyer has no code. A code that does not apply is dropped, so it never blocks the order.
 *
 * @param destination null until its country is known
 * @param buyer whom the choices belong to; null for a guest, or a caller who is not found yet
 * @param name the choices are stored under it
 */
export function useCharges(
  cart: Cart,
  destination: QuoteDestination | null,
  buyer: string | null,
  name = choiceName,
) {
  const [choice, setChoice] = useState(() => readChoice(name, buyer))
  const { shippingRate, coupon } = choice
  const [typed, setTyped] = useState(coupon ?? '')
  const [couponError, setCouponError] = useState('')
  const [version, setVersion] = useState(0)
  const isPriced = (cart.chargesAtCheckout || coupon !== undefined) && destination !== null
  /** The request as text, which changes only with its values. */
  const text = isPriced ? JSON.stringify(toRequest(cart, destination, { shippingRate, coupon })) : null
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

  useEffect(() => {
    storeInTab(name, { ...choice, buyer })
  }, [name, choice, buyer])

  const setCoupon = (code: string | undefined) => setChoice({ ...choice, coupon: code })
  const isCurrent = found?.key === key
  const charged = key === null ? null : (found?.charged ?? null)
  const drop = (message: string) => {
    setCoupon(undefined)
    setCouponError(message)
  }
  const refused = isCurrent && coupon !== undefined ? charged?.problems?.find(isOfCoupon) : undefined
  if (refused) drop(refused.message)
  const isLoading = key !== null && !isCurrent
  const failure = isCurrent ? (found?.failure ?? '') : ''
  const problem = charged?.problems?.find((each) => !isOfCoupon(each))
  return {
    /** Null until they are known. */
    charged,
    /** Why nothing can be ordered for this destination. A process of the previous version sends no problems. */
    problem,
    isLoading,
    /** Message of the last failure, or an empty text. */
    failure,
    reload: () => setVersion((old) => old + 1),
    shippingRate,
    chooseShipping: (rate: string) => setChoice({ ...choice, shippingRate: rate }),
    coupon: {
      typed,
      /** The code that the buyer has applied, as the shop writes it once that is known; undefined if there is none. */
      code: (isCurrent && charged?.coupon) || coupon,
      state: readCouponState({
        isLoading,
        isApplied: charged?.coupon !== undefined,
        isUnknown: failure !== '' || problem?.code === 'NO_SHIPPING',
      }),
      /** Why the last code does not apply; empty if it does. */
      error: couponError,
      /** Whether a code is typed and not applied. It changes the total, so the buyer has to see that first. */
      isOnlyTyped: typed.trim() !== '' && coupon === undefined && couponError === '',
      type(text: string) {
        setTyped(text)
        setCouponError('')
      },
      apply() {
        const code = typed.trim()
        setCouponError(code === '' ? 'Enter a code' : '')
        setCoupon(code === '' ? undefined : code)
      },
      remove() {
        setTyped('')
        setCoupon(undefined)
      },
      /** The shop has refused the code. */
      drop,
    } as const,
  }
}

function readCouponState({
  isLoading,
  isApplied,
  isUnknown,
}: Record<'isLoading' | 'isApplied' | 'isUnknown', boolean>) {
  if (isLoading) return 'checking'
  if (isApplied) return 'applied'
  return isUnknown ? 'unknown' : 'waiting'
}
