import { formatUtcDate, formatUtcMoment } from '../../../contract/dates.ts'
import { toDollars } from '../../../contract/money.ts'
import { orderNumber } from '../../../contract/order-number.ts'
import { formatWaitingTime } from '../../../contract/waiting-time.ts'
import type { EmailContent, EmailDetail, EmailFacts, EmailTable } from './compose.ts'

/** An order, as its emails show it. */
export interface EmailOrder {
  id: string
  /** Null for an imported order without a date. */
  placedAt: Date | null
  amountCents: number
  /** Amounts beside the lines. An included one is part of the prices. */
  charges: { label: string; amountCents: number; isIncluded: boolean }[]
  /** `fit`: about the bike that the line is for. */
  lines: {
    name: string
    picture: string | null
    partNumber: string | null
    options: string[]
    quantity: number
    unitPriceCents: number
    totalCents: number
    fit: EmailDetail[]
  }[]
}

export interface EmailRefund {
  amountCents: number
  reasons: string[]
  /** Empty: the whole order. Without a name it is the shipping. */
  lines: { name: string | null; pieces: number; amountCents: number }[]
}

/** A shipment of an order, as its email shows it. */
export interface EmailShipment {
  items: { name: string; picture: string | null; options: string[]; pieces: number }[]
  /** Whether other items follow. */
  isPartial: boolean
  /** Null: it is sent. Else where the buyer collects it; may be empty. */
  pickup: string | null
  carrier: string | null
  /** `url`: the tracking page; null if the carrier is unknown. */
  parcels: { number: string; url: string | null }[]
}

interface AccountLink {
  shopName: string
  url: string
}

/** All texts of emails in one language. A translation is another object of this shape. */
export const emailTexts = {
  googleAccount: ({ shopName, loginUrl }: { shopName: string; loginUrl: string }): EmailContent => ({
    subject: 'Your account uses Google',
    body: [
      `We received a request to reset the password of your ${shopName} account.`,
      'Your account has no password. Use “Sign in using Google”.',
      { label: 'Log in', url: loginUrl },
      "If you didn't request this, ignore this email.",
    ],
  }),

  passwordReset: ({ shopName, url }: AccountLink): EmailContent => ({
    subject: 'Choose a new password',
    body: [
      `We received a request to reset the password of your ${shopName} account.`,
      { label: 'Choose a new password', url },
      'The link works once and expires in one hour. A new password logs you out on all devices.',
      "If you didn't request this, ignore this email. Your password won't change.",
    ],
  }),

  emailVerification: ({ shopName, url }: AccountLink): EmailContent => ({
    subject: 'Confirm your email',
    body: [
      `Please confirm the email of your ${shopName} account.`,
      { label: 'Confirm your email', url },
      'The link works once and expires in 24 hours. Log in to that account first.',
      "If you didn't create an account, ignore this email.",
    ],
  }),

  emailChange: ({ shopName, url }: AccountLink): EmailContent => ({
    subject: 'Confirm your new email',
    body: [
      `Please confirm that this is the new email of your ${shopName} account.`,
      { label: 'Confirm your new email', url },
      'The link works once and expires in one hour. Log in to that account first.',
      "If you didn't request this, ignore this email. Nothing changes.",
    ],
  }),

  emailChanged: ({ shopName, url }: AccountLink): EmailContent => ({
    subject: 'Your email was changed',
    body: [
      `Your ${shopName} account has a new email. We will not write to this address any more.`,
      "If this wasn't you, contact us.",
      { label: 'Contact us', url },
    ],
  }),

  passwordChanged: ({ shopName, url }: AccountLink): EmailContent => ({
    subject: 'Your password was changed',
    body: [
      `The password of your ${shopName} account was changed. All other devices were logged out.`,
      "If this wasn't you, reset your password and check who can read your mailbox.",
      { label: 'Choose a new password', url },
    ],
  }),

  /** To a guest, whose only way back to the order is the link. */
  orderPlaced: (order: EmailOrder, payWithinSeconds: number, orderUrl: string): EmailContent => ({
    subject: `${title(order)} awaits payment`,
    body: [
      `We have reserved your items. Please pay within ${formatWaitingTime(payWithinSeconds)} after you ordered. After that we cancel the order.`,
      toTable(order, { total: true }),
      { label: 'View and pay your order', url: orderUrl },
      "If you didn't order this, ignore this email. You have not been charged.",
    ],
  }),

  /** @param recipient name and delivery address, one line each; may be empty */
  orderReceived: (order: EmailOrder, recipient: string[], orderUrl: string): EmailContent => ({
    subject: `${title(order)} received`,
    body: [
      `Thank you for your order. We have received your payment of ${formatCents(order.amountCents)}.`,
      toFacts(order),
      toTable(order, { total: true }),
      ...(recipient.length > 0 ? [`Delivery address:\n${recipient.join('\n')}`] : []),
      'We will email you when your order ships.',
      { label: 'View your order', url: orderUrl },
    ],
  }),

  /** Only for emails that an earlier version queued. Shipments have `shipmentSent`. */
  orderShipped: (order: EmailOrder, recipient: string[], orderUrl: string): EmailContent => ({
    subject: `${title(order)} has shipped`,
    body: [
      recipient.length > 0
        ? `Your order is on its way to this address:\n${recipient.join('\n')}`
        : 'Your order is on its way.',
      toFacts(order),
      toTable(order),
      { label: 'View your order', url: orderUrl },
    ],
  }),

  /** @param recipient as for `orderReceived`, or empty for a pickup */
  shipmentSent: (
    order: EmailOrder,
    shipment: EmailShipment,
    recipient: string[],
    orderUrl: string,
  ): EmailContent => ({
    subject: `${shipment.isPartial ? `Part of ${title(order).toLowerCase()}` : title(order)} ${shipment.pickup === null ? 'has shipped' : 'is ready for pickup'}`,
    body: [
      shipment.pickup === null ? 'These items are on their way to you:' : 'These items are ready for pickup:',
      toItems(shipment),
      toFacts(order),
      ...(shipment.isPartial ? ['The other items follow separately.'] : []),
      ...(shipment.pickup ? [shipment.pickup] : []),
      ...(recipient.length > 0 ? [`Delivery address:\n${recipient.join('\n')}`] : []),
      ...listParcels(shipment),
      { label: 'View your order', url: orderUrl },
    ],
  }),

  /** About a shipment that was sent without a tracking number. */
  trackingAdded: (order: EmailOrder, shipment: EmailShipment, orderUrl: string): EmailContent => ({
    subject: `Track your ${title(order).toLowerCase()}`,
    body: [
      'You can track these items now:',
      toItems(shipment),
      toFacts(order),
      ...listParcels(shipment),
      { label: 'View your order', url: orderUrl },
    ],
  }),

  /** @param about `isPartial`: other items of the order have shipped */
  shipmentWithdrawn: (
    order: EmailOrder,
    { isPartial, isPickup, reasons }: { isPartial: boolean; isPickup: boolean; reasons: string[] },
    orderUrl: string,
  ): EmailContent => ({
    subject: `${isPartial ? `Part of ${title(order).toLowerCase()}` : title(order)} ${isPickup ? 'is not ready for pickup yet' : 'has not shipped yet'}`,
    body: [
      `We marked ${isPartial ? 'items of your order' : 'your order'} as ${isPickup ? 'ready for pickup' : 'shipped'} by mistake.`,
      ...reasons,
      `We will email you again when ${isPartial ? 'they are' : 'it is'} ${isPickup ? 'ready' : 'on the way'}.`,
      toFacts(order),
      { label: 'View your order', url: orderUrl },
    ],
  }),

  /** @param orderUrl null: the account of the buyer does not show a cancelled order */
  orderCancelled: (
    order: EmailOrder,
    cancelledBy: 'buyer' | 'shop',
    orderUrl: string | null,
  ): EmailContent => ({
    subject: `${title(order)} was cancelled`,
    body: [
      cancelledBy === 'buyer' ? 'You cancelled this order.' : 'The shop cancelled this order.',
      'You have not been charged. If a payment was already on its way, we return it in full.',
      toFacts(order),
      toTable(order),
      ...listOrderLink(orderUrl),
    ],
  }),

  orderRefunded: (order: EmailOrder, refund: EmailRefund, orderUrl: string): EmailContent => ({
    subject: `Refund for ${title(order).toLowerCase()}`,
    body: [
      `We refund ${formatCents(refund.amountCents)} to your card. This can take 5 to 10 days.`,
      ...refund.reasons,
      toFacts(order),
      ...(refund.lines.length > 0
        ? refund.lines.map(({ name, pieces, amountCents }) => {
            const item = name === null ? 'Shipping' : pieces > 0 ? `${pieces} × ${name}` : name
            return `${item}: ${formatCents(amountCents)}`
          })
        : [toTable(order, { total: true })]),
      { label: 'View your order', url: orderUrl },
    ],
  }),

  /** @param reply what to do, in lines */
  returnApproved: (number: string, orderNumber: string, items: string[], reply: string[]): EmailContent => ({
    subject: `Your return ${number}`,
    body: [
      `You can send back these items of order #${orderNumber}. Write ${number} on the parcel.`,
      ...items,
      ...(reply.length > 0 ? ['Send them to:'] : []),
      ...reply,
    ],
  }),

  returnRejected: (orderNumber: string, items: string[], reply: string[]): EmailContent => ({
    subject: "We can't accept your return",
    body: [`We can't accept the return of these items of order #${orderNumber}.`, ...items, ...reply],
  }),

  withdrawalReceived: (orderNumber: string, at: Date, statement: string): EmailContent => ({
    subject: 'We received your withdrawal',
    body: [
      `You withdrew from the contract for order #${orderNumber} on ${formatUtcMoment(at)}.`,
      statement,
      'This email confirms the receipt. Keep it.',
    ],
  }),

  /** @param orderUrl as for `orderCancelled` */
  orderExpired: (
    order: EmailOrder,
    payWithinSeconds: number,
    { shopUrl, orderUrl }: { shopUrl: string; orderUrl: string | null },
  ): EmailContent => ({
    subject: `${title(order)} was cancelled: not paid in time`,
    body: [
      `We did not receive your payment within ${formatWaitingTime(payWithinSeconds)}, so we cancelled this order.`,
      'You have not been charged. You are welcome to order again.',
      toFacts(order),
      toTable(order),
      ...listOrderLink(orderUrl),
      { label: 'Visit the shop', url: shopUrl },
    ],
  }),
}

/** Leaves out texts that contain a link. */
export const listSafeTexts = (...texts: (string | null)[]): string[] =>
  texts.filter((text) => text !== null && text !== '' && !/:\/\/|www\./i.test(text)) as string[]

const listOrderLink = (url: string | null) => (url === null ? [] : [{ label: 'View your order', url }])

/** The number that screens show: the beginning of the id. */
const title = ({ id }: EmailOrder): string => `Order #${orderNumber(id)}`

const toFacts = (order: EmailOrder): EmailFacts => ({
  facts: [
    { name: 'Order', value: `#${orderNumber(order.id)}` },
    ...(order.placedAt ? [{ name: 'Date', value: formatUtcDate(order.placedAt) }] : []),
  ],
})

const toItems = ({ items }: EmailShipment): EmailTable => ({
  rows: items.map(({ name, picture, options, pieces }) => ({
    name: `${pieces} × ${[name, ...options].join(', ')}`,
    picture,
    details: [],
    value: '',
  })),
  sums: [],
})

const listParcels = ({ carrier, parcels }: EmailShipment): EmailContent['body'] => [
  ...(carrier ? [`Carrier: ${carrier}`] : []),
  ...parcels.map(({ number, url }) =>
    url === null ? `Tracking number: ${number}` : { label: `Track parcel ${number}`, url },
  ),
]

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const formatCents = (cents: number): string => dollars.format(toDollars(cents))

function toTable({ lines, charges, amountCents }: EmailOrder, { total = false } = {}): EmailTable {
  const rows = lines.map((line) => ({
    name: [line.name, ...line.options].join(', '),
    picture: line.picture,
    details: [
      { text: `${line.quantity} × ${formatCents(line.unitPriceCents)}` },
      ...(line.partNumber ? [{ text: `Part number ${line.partNumber}` }] : []),
      ...line.fit,
    ],
    value: formatCents(line.totalCents),
  }))
  const sums = [
    ...charges.map((charge) => ({
      name: charge.isIncluded ? `Includes ${charge.label}` : charge.label,
      value: formatCents(charge.amountCents),
    })),
    { name: 'Total', value: formatCents(amountCents) },
  ]
  return { rows, sums: total ? sums : [] }
}
