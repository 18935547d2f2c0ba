import { formatUtcDate, formatUtcDay, formatUtcMoment } from '../../../contract/dates.ts'
import type { EmailPlaceholder, EmailTextKind } from '../../../contract/email-texts.ts'
import { toDollars } from '../../../contract/money.ts'
import { dropHash, orderNumber } from '../../../contract/order-number.ts'
import type { ChargeKind } from '../../../contract/quote.ts'
import type { EmailContent, EmailDetail, EmailFacts, EmailSlot, EmailTable } from './compose.ts'

/** An order, as its emails show it. */
export interface EmailOrder {
  id: string
  /** The page of the order. */
  url: string
  /** Null for an imported order without a date. */
  placedAt: Date | null
  amountCents: number
  /** Amounts beside the lines. An included one is part of the prices. */
  charges: { kind: ChargeKind; label: string; amountCents: number; isIncluded: boolean }[]
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

interface EmailRefund {
  amountCents: number
  reasons: string[]
  /** Whether its pieces were cancelled, and others of the order were not. */
  cancelsItems: boolean
  /** Empty: the whole order. Without a name it is the shipping. */
  lines: { name: string | null; pieces: number; amountCents: number }[]
}

interface EmailDelivery {
  /** Null: the order is sent. Else where the buyer collects it; may be empty. */
  pickup: string | null
  /** Name and delivery address, one line each; may be empty, and is for a pickup. */
  recipient: string[]
}

/** A shipment of an order, as its email shows it. */
export interface EmailShipment {
  items: { name: string; picture: string | null; options: string[]; pieces: number }[]
  /** Whether other items follow. */
  isPartial: boolean
  /** As in `EmailDelivery`. */
  pickup: EmailDelivery['pickup']
  carrier: string | null
  /** `url`: the tracking page; null if the carrier is unknown. */
  parcels: { number: string; url: string | null }[]
}

type Values<Kind extends EmailTextKind> = Record<Exclude<EmailPlaceholder<Kind>, 'shopName'>, string>

const write = <Kind extends EmailTextKind>(
  kind: Kind,
  values: Values<Kind>,
  body: EmailContent['body'],
): EmailContent => ({ kind, values, body })

const before: EmailSlot = { slot: 'before' }
const after: EmailSlot = { slot: 'after' }

/** The contents of all emails. Their subjects and texts are in `contract/email-texts.ts`. */
export const emailContents = {
  googleAccount: (url: string) => write('google-account', {}, [before, { label: 'Log in', url }, after]),

  passwordReset: (url: string) =>
    write('password-reset', {}, [before, { label: 'Choose a new password', url }, after]),

  emailVerification: (url: string) =>
    write('email-verification', {}, [before, { label: 'Confirm your email', url }, after]),

  emailChange: (url: string) =>
    write('email-change', {}, [before, { label: 'Confirm your new email', url }, after]),

  emailChanged: (url: string) => write('email-changed', {}, [before, { label: 'Contact us', url }, after]),

  passwordChanged: (url: string) =>
    write('password-changed', {}, [before, { label: 'Choose a new password', url }, after]),

  invitation: (url: string, values: { role: string; email: string }) =>
    write('invitation', values, [before, { label: 'Accept the invitation', url }, after]),

  /**
   * To a guest, whose only way back to the order is the link.
   *
   * @param payWithin such as `1 hour`
   */
  orderPlaced: (order: EmailOrder, payWithin: string) =>
    write('order-placed', { ...toValues(order), payWithin }, [
      before,
      toFacts(order),
      toTable(order, { total: true }),
      { label: 'View and pay your order', url: order.url },
      after,
    ]),

  /** To a caller for whom an admin has placed an order. */
  paymentLink: (order: EmailOrder, payBy: Date) =>
    write(
      'payment-link',
      // In America the day ends in the afternoon.
      { ...toValues(order), lastDay: `${formatUtcDay(payBy)} (UTC)`, lastDate: formatUtcMoment(payBy) },
      [
        before,
        toFacts(order),
        toTable(order, { total: true }),
        { label: 'View and pay your order', url: order.url },
        after,
      ],
    ),

  /** @param delivery null: the order is cancelled by now, and the email only confirms the payment */
  orderReceived: (order: EmailOrder, delivery: EmailDelivery | null) => {
    const { pickup = null, recipient = [] } = delivery ?? {}
    const nextState = pickup === null ? 'your order ships' : 'your order is ready for pickup'
    return write('order-received', { ...toValues(order), nextState }, [
      before,
      toFacts(order),
      toTable(order, { total: true }),
      ...(pickup ? [pickup] : []),
      ...listRecipient(recipient),
      ...(delivery ? [after] : []),
      ...listOrderLink(order),
    ])
  },

  /** @param recipient as in `EmailDelivery` */
  shipmentSent: (order: EmailOrder, shipment: EmailShipment, recipient: string[]) => {
    const isSent = shipment.pickup === null
    const values = {
      ...toValues(order),
      shipment: nameShipment(order, shipment),
      shipmentState: isSent ? 'has shipped' : 'is ready for pickup',
      itemsState: isSent ? 'are on their way to you' : 'are ready for pickup',
    }
    return write('shipment-sent', values, [
      before,
      toItems(shipment),
      toFacts(order),
      ...(shipment.isPartial ? ['The other items follow separately.'] : []),
      ...(shipment.pickup ? [shipment.pickup] : []),
      ...listRecipient(recipient),
      ...listParcels(shipment),
      after,
      ...listOrderLink(order),
    ])
  },

  /** About a shipment that was sent without a tracking number. */
  trackingAdded: (order: EmailOrder, shipment: EmailShipment) =>
    write('tracking-added', toValues(order), [
      before,
      toItems(shipment),
      toFacts(order),
      ...listParcels(shipment),
      after,
      ...listOrderLink(order),
    ]),

  /** @param about `isPartial`: other items of the order have shipped */
  shipmentWithdrawn: (
    order: EmailOrder,
    about: { isPartial: boolean; isPickup: boolean; reasons: string[] },
  ) => {
    const { isPartial, isPickup, reasons } = about
    const values = {
      ...toValues(order),
      shipment: nameShipment(order, about),
      shipmentState: isPickup ? 'is not ready for pickup yet' : 'has not shipped yet',
      items: isPartial ? 'items of your order' : 'your order',
      mistake: isPickup ? 'ready for pickup' : 'shipped',
      nextState: `${isPartial ? 'they are' : 'it is'} ${isPickup ? 'ready' : 'on the way'}`,
    }
    return write('shipment-withdrawn', values, [
      before,
      ...reasons,
      after,
      toFacts(order),
      ...listOrderLink(order),
    ])
  },

  orderCancelled: (order: EmailOrder, cancelledBy: 'buyer' | 'shop') =>
    write(
      'order-cancelled',
      { ...toValues(order), cancelledBy: cancelledBy === 'buyer' ? 'You' : 'The shop' },
      [before, toFacts(order), toTable(order), after, ...listOrderLink(order)],
    ),

  orderRefunded: (order: EmailOrder, refund: EmailRefund) =>
    write('order-refunded', { ...toValues(order), refund: formatExactCents(refund.amountCents) }, [
      before,
      ...refund.reasons,
      toFacts(order),
      ...(refund.lines.length > 0 ? listRefunded(refund) : [toTable(order, { total: true })]),
      after,
      ...listOrderLink(order),
    ]),

  /** About a cancellation for which no money is returned. */
  itemsCancelled: (order: EmailOrder, { reasons, lines }: EmailRefund) =>
    write('items-cancelled', toValues(order), [
      before,
      ...reasons,
      toFacts(order),
      ...lines.map(nameRefunded),
      after,
      ...listOrderLink(order),
    ]),

  /**
   * Only a withdrawal can have items that were not shipped.
   *
   * @param reply what to do, in lines
   * @param order undefined unless the recipient is its buyer
   */
  returnApproved: (
    returnNumber: string,
    orderNumber: string,
    items: { shipped: string[]; open: string[] },
    reply: string[],
    order?: EmailOrder,
  ) => {
    const { shipped, open } = items
    const values = { returnNumber, orderNumber }
    if (shipped.length === 0) {
      const accepted = `We have accepted your withdrawal from order #${orderNumber}. You don't need to send anything back.`
      return write('return-approved', values, [accepted, ...open, ...reply, after, ...listOrderFacts(order)])
    }
    return write('return-approved', values, [
      before,
      ...shipped,
      ...(reply.length > 0 ? ['Send them to:'] : []),
      ...reply,
      ...(open.length > 0 ? ['These items were not shipped. There is nothing to send back:'] : []),
      ...open,
      after,
      ...listOrderFacts(order),
    ])
  },

  /**
   * @param name the number with its `#`, or what the buyer has typed
   * @param order as in `returnApproved`
   */
  returnRejected: (name: string, items: string[], reply: string[], order?: EmailOrder) =>
    write('return-rejected', toNames(name), [before, ...items, ...reply, after, ...listOrderFacts(order)]),

  /** @param name as in `returnRejected` */
  withdrawalReceived: (name: string, at: Date, statement: string) =>
    write('withdrawal-received', { ...toNames(name), time: formatUtcMoment(at) }, [before, statement, after]),

  /** @param payWithin such as `72 hours` */
  orderExpired: (order: EmailOrder, payWithin: string, shopUrl: string) =>
    write('order-expired', { ...toValues(order), payWithin }, [
      before,
      toFacts(order),
      toTable(order),
      after,
      ...listOrderLink(order),
      { label: 'Visit the shop', url: shopUrl },
    ]),
}

/** Leaves out texts that contain a link. */
export const listSafeTexts = (...texts: (string | null)[]): string[] =>
  texts.filter((text) => text !== null && text !== '' && !/:\/\/|www\./i.test(text)) as string[]

/**
 * The same for texts of strangers, whose domains mail programs would make links: `shop.example/pay` becomes
 * `shop. example/pay`.
 */
export const listUnlinkedTexts = (...texts: (string | null)[]): string[] =>
  listSafeTexts(...texts).map((text) => text.replace(/(?<=[\p{L}\p{N}])[.。．｡](?=\p{L}{2})/gu, '$& '))

const listOrderLink = ({ url }: EmailOrder) => [{ label: 'View your order', url }]

const listRecipient = (lines: string[]) =>
  lines.length > 0 ? [`Delivery address:\n${lines.join('\n')}`] : []

/** `orderNumber`: the one that screens show, the beginning of the id. */
const toValues = ({ id, amountCents }: EmailOrder) => ({
  orderNumber: orderNumber(id),
  total: formatExactCents(amountCents),
})

/** `orderNumber` is for texts of the shop that have a `#` before it. */
const toNames = (name: string) => ({ order: name, orderNumber: dropHash(name) })

const nameShipment = ({ id }: EmailOrder, { isPartial }: { isPartial: boolean }): string =>
  `${isPartial ? 'Part of order' : 'Order'} #${orderNumber(id)}`

const toFacts = (order: EmailOrder): EmailFacts => ({
  facts: [
    { name: 'Order', value: `#${orderNumber(order.id)}` },
    ...(order.placedAt ? [{ name: 'Date', value: formatUtcDate(order.placedAt) }] : []),
  ],
})

const listOrderFacts = (order: EmailOrder | undefined) =>
  order ? [toFacts(order), ...listOrderLink(order)] : []

const nameRefunded = ({ name, pieces }: EmailRefund['lines'][number]): string =>
  name === null ? 'Shipping' : pieces > 0 ? `${pieces} × ${name}` : name

/** Lists the amounts. A cancellation can also have the shipping, and amounts of items that are not cancelled. */
function listRefunded({ cancelsItems, lines }: EmailRefund): string[] {
  const list = (part: EmailRefund['lines']) =>
    part.map((line) => `${nameRefunded(line)}: ${formatExactCents(line.amountCents)}`)
  if (!cancelsItems) return list(lines)
  const others = lines.filter(({ pieces }) => pieces === 0)
  return [
    'These items were cancelled:',
    ...list(lines.filter(({ pieces }) => pieces > 0)),
    ...(others.length > 0 ? ['We also refund:'] : []),
    ...list(others),
  ]
}

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
const formatExactCents = (cents: number): string => dollars.format(toDollars(cents))

function toTable({ lines, charges, amountCents }: EmailOrder, { total = false } = {}): EmailTable {
  const rows = lines.map((line) => ({
    name: [line.name, ...line.options].join(', '),
    picture: line.picture,
    details: [
      { text: `${line.quantity} × ${formatExactCents(line.unitPriceCents)}` },
      ...(line.partNumber ? [{ text: `Part number ${line.partNumber}` }] : []),
      ...line.fit,
    ],
    value: formatExactCents(line.totalCents),
  }))
  const subtotalCents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0)
  const sums = [
    ...(charges.length > 0 ? [{ name: 'Subtotal', value: formatExactCents(subtotalCents) }] : []),
    ...charges.map(({ kind, label, amountCents: cents, isIncluded }) => ({
      name: isIncluded ? `Includes ${label}` : label,
      value: kind === 'shipping' && cents === 0 ? 'Free' : formatExactCents(cents),
    })),
    { name: 'Total', value: formatExactCents(amountCents) },
  ]
  return { rows, sums: total ? sums : [] }
}
