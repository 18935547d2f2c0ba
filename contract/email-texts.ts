interface EmailText {
  group: 'Accounts' | 'Orders' | 'Returns'
  name: string
  subject: string
  /** Paragraphs above and below the fixed parts: links, tables and addresses. A blank line separates two of them. */
  before: string
  after: string
  /** Their values are known when the email is sent. Emails about an account have none with input of a user (decision 19). */
  placeholders: readonly string[]
}

const ignore = "If you didn't request this, ignore this email."

/**
 * The default texts of emails, in the order of the screen. The words that depend on an order are placeholders, such as
 * `{shipmentState}`, so that the texts are the same for each order.
 */
export const defaultEmailTexts = {
  'order-placed': {
    group: 'Orders',
    name: 'Guest order awaits payment',
    subject: 'Order #{orderNumber} awaits payment',
    before:
      "We have reserved your items. Please pay within {payWithin} of ordering. After that we'll cancel the order.",
    after: "If you didn't order this, ignore this email. You have not been charged.",
    placeholders: ['orderNumber', 'total', 'payWithin', 'shopName'],
  },
  'payment-link': {
    group: 'Orders',
    name: 'Link to pay an order by phone',
    subject: 'Order #{orderNumber}: please pay by {lastDay}',
    before:
      "You ordered by phone. We have reserved your items until {lastDate}. Please pay by then. After that we'll cancel the order.",
    after:
      "The link opens your order without an account.\n\nIf you didn't order this, ignore this email. You have not been charged.",
    placeholders: ['orderNumber', 'total', 'lastDay', 'lastDate', 'shopName'],
  },
  'order-received': {
    group: 'Orders',
    name: 'Order received and paid',
    subject: 'Order #{orderNumber} received',
    before: 'Thank you for your order. We have received your payment of {total}.',
    after: 'We will email you when {nextState}.',
    placeholders: ['orderNumber', 'total', 'nextState', 'shopName'],
  },
  'shipment-sent': {
    group: 'Orders',
    name: 'Shipped, or ready for pickup',
    subject: '{shipment} {shipmentState}',
    before: 'These items {itemsState}:',
    after: '',
    placeholders: ['orderNumber', 'total', 'shipment', 'shipmentState', 'itemsState', 'shopName'],
  },
  'tracking-added': {
    group: 'Orders',
    name: 'Tracking number added',
    subject: 'Track your order #{orderNumber}',
    before: 'You can track these items now:',
    after: '',
    placeholders: ['orderNumber', 'total', 'shopName'],
  },
  'shipment-withdrawn': {
    group: 'Orders',
    name: 'Shipment taken back',
    subject: '{shipment} {shipmentState}',
    before: 'We marked {items} as {mistake} by mistake.',
    after: 'We will email you again when {nextState}.',
    placeholders: [
      'orderNumber',
      'total',
      'shipment',
      'shipmentState',
      'items',
      'mistake',
      'nextState',
      'shopName',
    ],
  },
  'order-cancelled': {
    group: 'Orders',
    name: 'Unpaid order cancelled',
    subject: 'Order #{orderNumber} was cancelled',
    before:
      '{cancelledBy} cancelled this order.\n\nYou have not been charged. If a payment was already on its way, we return it in full.',
    after: '',
    placeholders: ['orderNumber', 'total', 'cancelledBy', 'shopName'],
  },
  'order-expired': {
    group: 'Orders',
    name: 'Order not paid in time',
    subject: 'Order #{orderNumber} was cancelled: not paid in time',
    before:
      'We did not receive your payment within {payWithin}, so we cancelled this order.\n\nYou have not been charged. You are welcome to order again.',
    after: '',
    placeholders: ['orderNumber', 'total', 'payWithin', 'shopName'],
  },
  'order-refunded': {
    group: 'Orders',
    name: 'Refund',
    subject: 'Refund for order #{orderNumber}',
    before: 'We refund {refund} to your card. This can take 5 to 10 days.',
    after: '',
    placeholders: ['orderNumber', 'total', 'refund', 'shopName'],
  },
  'items-cancelled': {
    group: 'Orders',
    name: 'Items cancelled without a refund',
    subject: 'Items of order #{orderNumber} were cancelled',
    before: 'These items were cancelled. There is no refund with this cancellation.',
    after: '',
    placeholders: ['orderNumber', 'total', 'shopName'],
  },
  'return-approved': {
    group: 'Returns',
    name: 'Return approved',
    subject: 'Your return {returnNumber}',
    before: 'You can send back these items of order #{orderNumber}. Write {returnNumber} on the parcel.',
    after: '',
    placeholders: ['orderNumber', 'returnNumber', 'shopName'],
  },
  'return-rejected': {
    group: 'Returns',
    name: 'Return rejected',
    subject: "We can't accept your return",
    before: "We can't accept the return of these items of order {order}.",
    after: '',
    placeholders: ['order', 'orderNumber', 'shopName'],
  },
  'withdrawal-received': {
    group: 'Returns',
    name: 'Withdrawal received',
    subject: 'We received your withdrawal',
    before: 'You withdrew from the contract for order {order} on {time}.',
    after: 'This email confirms the receipt. Keep it.',
    placeholders: ['order', 'orderNumber', 'time', 'shopName'],
  },
  'email-verification': {
    group: 'Accounts',
    name: 'Confirm the email of an account',
    subject: 'Confirm your email',
    before: 'Please confirm the email of your {shopName} account.',
    after:
      "The link works once and expires in 24 hours. Log in to that account first.\n\nIf you didn't create an account, ignore this email.",
    placeholders: ['shopName'],
  },
  'password-reset': {
    group: 'Accounts',
    name: 'Choose a new password',
    subject: 'Choose a new password',
    before: 'We received a request to reset the password of your {shopName} account.',
    after: `The link works once and expires in one hour. A new password logs you out on all devices.\n\n${ignore} Your password won't change.`,
    placeholders: ['shopName'],
  },
  invitation: {
    group: 'Accounts',
    name: 'Invitation of staff',
    subject: 'Your invitation to the staff',
    before: 'You are invited to work for {shopName}. Your role: {role}.',
    after:
      "The link works once and expires in 7 days. Log in or sign up with the email {email} first.\n\nIf you don't expect this, ignore this email.",
    placeholders: ['role', 'email', 'shopName'],
  },
  'google-account': {
    group: 'Accounts',
    name: 'New password for a Google account',
    subject: 'Your account uses Google',
    before:
      'We received a request to reset the password of your {shopName} account.\n\nYour account has no password. Use “Sign in using Google”.',
    after: ignore,
    placeholders: ['shopName'],
  },
  'password-changed': {
    group: 'Accounts',
    name: 'Password changed',
    subject: 'Your password was changed',
    before:
      "The password of your {shopName} account was changed. All other devices were logged out.\n\nIf this wasn't you, reset your password and check who can read your mailbox.",
    after: '',
    placeholders: ['shopName'],
  },
  'email-change': {
    group: 'Accounts',
    name: 'Confirm a new email',
    subject: 'Confirm your new email',
    before: 'Please confirm that this is the new email of your {shopName} account.',
    after: `The link works once and expires in one hour. Log in to that account first.\n\n${ignore} Nothing changes.`,
    placeholders: ['shopName'],
  },
  'email-changed': {
    group: 'Accounts',
    name: 'Email changed',
    subject: 'Your email was changed',
    before:
      "Your {shopName} account has a new email. We will not write to this address any more.\n\nIf this wasn't you, contact us.",
    after: '',
    placeholders: ['shopName'],
  },
} as const satisfies Record<string, EmailText>

export type EmailTextKind = keyof typeof defaultEmailTexts
export const emailTextKinds = Object.keys(defaultEmailTexts) as [EmailTextKind, ...EmailTextKind[]]

export type EmailPlaceholder<Kind extends EmailTextKind> =
  (typeof defaultEmailTexts)[Kind]['placeholders'][number]

export const emailTextFields = ['subject', 'before', 'after'] as const

const placeholder = /\{([^{}]*)\}/g

/** Returns the text with the values of its placeholders. One without a value is left out. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))

/** Returns a message if a text has a placeholder that the email does not have; null if there is none. */
export function refusePlaceholders(kind: EmailTextKind, text: string): string | null {
  const available: readonly string[] = defaultEmailTexts[kind].placeholders
  const unknown = [...text.matchAll(placeholder)].find(([, name = '']) => !available.includes(name))
  if (!unknown) return null
  return `${unknown[0]} is not available in this email. Available: ${available.map((name) => `{${name}}`).join(', ')}.`
}
