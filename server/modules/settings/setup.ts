import type { BrandGroup, SetupId, SetupItem, ShopGroup } from '../../../contract/settings.ts'

/** Settings and configuration that the list depends on. */
export interface SetupFacts {
  shop: ShopGroup
  brand: BrandGroup
  /** Public origin of the shop. */
  origin: string
  /** Path of the payment webhook below the origin. */
  webhookPath: string
  isDemo: boolean
  hasStripe: boolean
  hasMailServer: boolean
  /** Whether a product can be ordered. */
  hasStock: boolean
  /** Whether all staff have two-step login. */
  hasTwoStep: boolean
}

type Item = Omit<SetupItem, 'id' | 'state'>

const settingsLink = (label: string, tab: string) => ({ label, href: `/dashboard/shop/${tab}` })

const hasContact = ({ name, email, street, city, country }: ShopGroup): boolean =>
  [name, email, street, city, country].every(Boolean)

/** Lists what a shop needs before it can sell, in the order of the screen. Optional items come last. */
export function listSetup(facts: SetupFacts): SetupItem[] {
  const { shop, brand, origin } = facts
  const needed = (id: SetupId, isDone: boolean, done: Item, missing: Item): SetupItem =>
    isDone ? { id, state: 'done', ...done } : { id, state: 'missing', ...missing }
  return [
    needed(
      'contact',
      hasContact(shop),
      {
        text: 'The shop has a name, an email and an address.',
        link: settingsLink('Edit name and contact', 'name'),
      },
      {
        text: 'Name, email and address of the shop are not complete.',
        link: settingsLink('Enter name and contact', 'name'),
      },
    ),
    needed(
      'demo',
      !facts.isDemo,
      { text: 'The shop has no demo data.' },
      {
        text: 'This is a demo shop with invented products, reviews and accounts. Start it with DEMO=0 and an empty database.',
        settings: ['DEMO', 'DATABASE_URL'],
      },
    ),
    needed(
      'stock',
      facts.hasStock,
      {
        text: 'A product is in stock.',
        link: { label: 'Manage products', href: '/dashboard/manage-products' },
      },
      { text: 'No product is in stock.', link: { label: 'Add a product', href: '/dashboard/add-product' } },
    ),
    needed(
      'payments',
      facts.hasStripe,
      { text: 'Stripe takes payments.' },
      {
        text: 'The shop accepts test cards only. Create a webhook at Stripe, and set its secret and your keys.',
        settings: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
        value: { label: 'URL of the webhook', text: `${origin}${facts.webhookPath}` },
      },
    ),
    needed(
      'email',
      facts.hasMailServer,
      { text: 'Emails are sent by your mail server.' },
      { text: 'Customers get no emails: the shop has no mail server.', settings: ['SMTP_URL', 'MAIL_FROM'] },
    ),
    needed(
      'https',
      origin.startsWith('https:'),
      { text: `The shop is at ${origin}.` },
      {
        text: `The address ${origin} is not secure. Set it to one that starts with https.`,
        settings: ['PUBLIC_URL'],
      },
    ),
    facts.hasTwoStep
      ? { id: 'two-step', state: 'done', text: 'Everyone on the staff has two-step login.' }
      : {
          id: 'two-step',
          state: 'optional',
          text: 'A stolen password opens the data of your customers: not everyone on the staff has two-step login.',
          link: { label: 'Set up two-step login', href: '/dashboard/security' },
        },
    brand.logo || brand.logoOnDark
      ? {
          id: 'logo',
          state: 'done',
          text: 'The shop has a logo.',
          link: settingsLink('Edit brand', 'brand'),
        }
      : {
          id: 'logo',
          state: 'optional',
          text: 'The shop has no logo yet.',
          link: settingsLink('Upload a logo', 'brand'),
        },
  ]
}
