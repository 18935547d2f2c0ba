import type { EmailTextKind } from '../../../contract/email-texts.ts'
import type { EmailContent } from './compose.ts'
import { type EmailOrder, type EmailShipment, emailContents } from './texts.ts'

const day = new Date('2026-11-20T10:00:00Z')
const someOrder: Omit<EmailOrder, 'url'> = {
  id: '26c6240123456789',
  placedAt: day,
  amountCents: 8500,
  charges: [{ kind: 'shipping', label: 'Shipping', amountCents: 600, isIncluded: false }],
  lines: [
    {
      name: 'Brake pads, sintered',
      picture: null,
      partNumber: 'BP-204',
      options: ['Front'],
      quantity: 1,
      unitPriceCents: 7900,
      totalCents: 7900,
      fit: [],
    },
  ],
}
const shipment: EmailShipment = {
  items: [{ name: 'Brake pads, sintered', picture: null, options: ['Front'], pieces: 1 }],
  isPartial: false,
  pickup: null,
  carrier: 'Parcel service',
  parcels: [{ number: '1Z 999 AA1', url: null }],
}
const recipient = ['Robin Rider', '14 Kickstand Lane', 'Springfield, IL 62701', 'United States']
const items = ['1 × Brake pads, sintered']

/** An email with invented values, for the preview and the test of its texts. Its links have no secret. */
export function createSample(kind: EmailTextKind, origin: string): EmailContent {
  const order = { ...someOrder, url: `${origin}/dashboard/my-orders` }
  const samples: Record<EmailTextKind, () => EmailContent> = {
    'order-placed': () => emailContents.orderPlaced(order, '24 hours'),
    'payment-link': () => emailContents.paymentLink(order, new Date('2026-11-27T23:59:59Z')),
    'order-received': () => emailContents.orderReceived(order, { pickup: null, recipient }),
    'shipment-sent': () => emailContents.shipmentSent(order, shipment, recipient),
    'tracking-added': () => emailContents.trackingAdded(order, shipment),
    'shipment-withdrawn': () =>
      emailContents.shipmentWithdrawn(order, { isPartial: false, isPickup: false, reasons: [] }),
    'order-cancelled': () => emailContents.orderCancelled(order, 'buyer'),
    'order-expired': () => emailContents.orderExpired(order, '72 hours', origin),
    'order-refunded': () =>
      emailContents.orderRefunded(order, {
        amountCents: 7900,
        reasons: ['No longer available'],
        cancelsItems: true,
        lines: [{ name: 'Brake pads, sintered', pieces: 1, amountCents: 7900 }],
      }),
    'items-cancelled': () =>
      emailContents.itemsCancelled(order, {
        amountCents: 0,
        reasons: ['No longer available'],
        cancelsItems: true,
        lines: [{ name: 'Brake pads, sintered', pieces: 1, amountCents: 0 }],
      }),
    'return-approved': () =>
      emailContents.returnApproved(
        'R-4f19c2',
        '26c624',
        { shipped: items, open: [] },
        recipient.slice(1),
        order,
      ),
    'return-rejected': () =>
      emailContents.returnRejected('#26c624', items, ['The packaging of these items is open.'], order),
    'withdrawal-received': () =>
      emailContents.withdrawalReceived(
        '#26c624',
        day,
        'Robin Rider withdraws from the contract for order #26c624.',
      ),
    'email-verification': () => emailContents.emailVerification(`${origin}/verify-email`),
    'password-reset': () => emailContents.passwordReset(`${origin}/reset-password`),
    invitation: () =>
      emailContents.invitation(`${origin}/join`, { role: 'packer', email: 'robin@example.com' }),
    'google-account': () => emailContents.googleAccount(`${origin}/login`),
    'password-changed': () => emailContents.passwordChanged(`${origin}/forgot-password`),
    'email-change': () => emailContents.emailChange(`${origin}/confirm-email`),
    'email-changed': () => emailContents.emailChanged(`${origin}/contact-us`),
  }
  return samples[kind]()
}
