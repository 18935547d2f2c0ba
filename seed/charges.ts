import type { EditedCoupon } from '../contract/coupons.ts'
import type { EditedShippingRate } from '../contract/shipping.ts'

/** An order of the demo shop is shipped for nothing, unless the buyer is in a hurry. */
export const shippingRates: EditedShippingRate[] = [
  { name: 'Standard', note: '3–5 business days', places: [], price: 0, position: 1 },
  { name: 'Express', note: '1–2 business days', places: [], price: 24.95, position: 2 },
  {
    name: 'Pick up in the workshop',
    note: 'Ready the next business day',
    places: [],
    price: 0,
    pickupPlace: 'US-CA',
    position: 3,
  },
]

export const coupon: EditedCoupon = { code: 'TORQUE10', kind: 'percent', rate: 10, oncePerBuyer: false }
