import {
  type DocumentStatus,
  type LegalKind,
  type ListedDocument,
  legalKinds,
} from '../../../contract/documents.ts'
import type { OptionalSetupId, SetupId, SetupItem, ShopGroup } from '../../../contract/settings.ts'
import { hasInventedStats, listColumns, type SavedShop } from './rules.ts'

/** Facts from the configuration of the process. */
export interface ConfiguredFacts {
  /** Public origin of the shop. */
  origin: string
  /** Path of the payment webhook below the origin. */
  webhookPath: string
  isDemo: boolean
  hasStripe: boolean
  /** `mailbox`: emails are collected at /sandbox/mailbox, and not sent. */
  mail: 'smtp' | 'mailbox' | 'off'
}

type LegalDocument = Pick<ListedDocument, 'id' | 'legalKind' | 'status'>

/** Facts from the database. */
export interface StoredFacts {
  saved: SavedShop
  /** Whether a product can be ordered. */
  hasStock: boolean
  /** Whether an order can have shipping or tax. */
  canHaveCharges: boolean
  /** The legal pages in every status. */
  legalDocuments: LegalDocument[]
  /** Whether a post is visible. */
  hasPosts: boolean
  hasOwner: boolean
  /** Whether all staff have two-step login. */
  hasTwoStep: boolean
}

type Item = Omit<SetupItem, 'id' | 'state'>

const settingsLink = (label: string, tab: string) => ({ label, href: `/dashboard/shop/${tab}` })

const hasContact = ({ name, email, street, city, country }: ShopGroup): boolean =>
  [name, email, street, city, country].every(Boolean)

const legalNames: Record<LegalKind, string> = {
  imprint: 'an imprint',
  terms: 'terms',
  privacy: 'a privacy policy',
  withdrawal: 'a page about the right of withdrawal',
  shipping: 'a page about shipping',
}

const hiddenStatuses: Partial<Record<DocumentStatus, string>> = {
  draft: 'a draft',
  scheduled: 'scheduled',
  archived: 'archived',
}

/** Returns what to do about a legal page that visitors do not see. */
function describeMissing(kind: LegalKind, document: LegalDocument | undefined): Item {
  const name = legalNames[kind]
  if (!document) {
    return {
      text: `The shop has not published ${name}.`,
      links: [{ label: `Add ${name}`, href: `/dashboard/edit-page/new?legal=${kind}` }],
    }
  }
  const { id, status } = document
  const verb = status === 'draft' ? 'Finish' : 'Edit'
  return {
    text: `The shop has not published ${name}: the page is ${hiddenStatuses[status]}.`,
    links: [{ label: `${verb} the ${name.replace(/^an? /, '')}`, href: `/dashboard/edit-page/${id}` }],
  }
}

/** Names the placeholders that visitors still see. */
function listPlaceholders({ saved, hasPosts }: StoredFacts): string[] {
  const { home } = saved
  const hasEmptyLink = listColumns(saved).some(({ links }) => links.some(({ href }) => href === ''))
  return [
    hasInventedStats(home) ? 'invented figures' : '',
    !hasPosts && home.placeholders !== false ? 'sample posts' : '',
    hasEmptyLink ? 'links without a target' : '',
  ].filter(Boolean)
}

const joinNames = new Intl.ListFormat('en-GB')

const emailItems: Record<ConfiguredFacts['mail'], { isDone: boolean; item: Item }> = {
  smtp: {
    isDone: true,
    item: { text: 'Emails are sent by your mail server.', action: 'send-test-email' },
  },
  mailbox: {
    isDone: false,
    item: {
      text: 'Customers get no emails: without a mail server, the shop collects them in a mailbox on this computer.',
      links: [{ label: 'Open the mailbox', href: '/sandbox/mailbox' }],
      settings: ['SMTP_URL', 'MAIL_FROM'],
      action: 'send-test-email',
    },
  },
  off: {
    isDone: false,
    item: {
      text: 'Customers get no emails: the shop has no mail server.',
      settings: ['SMTP_URL', 'MAIL_FROM'],
    },
  },
}

/** Lists what a shop needs before it can sell, in the order of the screen. Optional items come last. */
export function listSetup(facts: ConfiguredFacts & StoredFacts): SetupItem[] {
  const { saved, origin } = facts
  const { shop, brand, home } = saved
  const needed = (
    id: Exclude<SetupId, OptionalSetupId>,
    isDone: boolean,
    done: Item,
    missing: Item,
  ): SetupItem => (isDone ? { id, state: 'done', ...done } : { id, state: 'missing', ...missing })
  const optional = (id: OptionalSetupId, isDone: boolean, done: Item, open: Item): SetupItem =>
    isDone ? { id, state: 'done', ...done } : { id, state: 'optional', ...open }
  const placeholders = listPlaceholders(facts)
  const email = emailItems[facts.mail]
  return [
    needed(
      'contact',
      hasContact(shop),
      {
        text: 'The shop has a name, an email and an address.',
        links: [settingsLink('Edit name and contact', 'name')],
      },
      {
        text: 'Name, email and address of the shop are not complete.',
        links: [settingsLink('Enter name and contact', 'name')],
      },
    ),
    ...legalKinds.map((kind) => {
      const document = facts.legalDocuments.find(({ legalKind }) => legalKind === kind)
      return needed(
        kind,
        document !== undefined && !(document.status in hiddenStatuses),
        {
          text: `The shop has ${legalNames[kind]}.`,
          links: [{ label: 'Edit pages', href: '/dashboard/pages' }],
        },
        describeMissing(kind, document),
      )
    }),
    needed(
      'placeholders',
      placeholders.length === 0,
      { text: 'The shop shows no placeholder texts.', links: [settingsLink('Edit home page', 'home')] },
      {
        text: `The shop still shows ${joinNames.format(placeholders)}.`,
        action: 'remove-placeholders',
      },
    ),
    needed(
      'stock',
      facts.hasStock,
      {
        text: 'A product is in stock.',
        links: [{ label: 'Manage products', href: '/dashboard/manage-products' }],
      },
      {
        text: 'No product is in stock.',
        links: [
          { label: 'Add a product', href: '/dashboard/add-product' },
          { label: 'Import products', href: '/dashboard/import-products' },
        ],
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
      'payments',
      facts.hasStripe,
      { text: 'Stripe takes payments.' },
      {
        text: 'The shop accepts test cards only. Create a webhook at Stripe, and set its secret and your keys.',
        settings: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
        value: { label: 'URL of the webhook', text: `${origin}${facts.webhookPath}` },
      },
    ),
    needed('email', email.isDone, email.item, email.item),
    needed(
      'https',
      origin.startsWith('https:'),
      { text: `The shop is at ${origin}.` },
      {
        text: `The address ${origin} is not secure. Set it to one that starts with https.`,
        settings: ['PUBLIC_URL'],
      },
    ),
    needed(
      'owner',
      facts.hasOwner,
      { text: 'The shop has an owner.', links: [{ label: 'Edit staff', href: '/dashboard/staff' }] },
      { text: 'The shop has no owner. Run: npm run make-admin -- you@your-shop.example' },
    ),
    optional(
      'charges',
      facts.canHaveCharges,
      {
        text: 'The shop has prices for shipping, or tax rates.',
        links: [{ label: 'Edit shipping and tax', href: '/dashboard/charges' }],
      },
      {
        text: 'Orders are shipped for free, and have no tax.',
        links: [{ label: 'Add shipping and tax', href: '/dashboard/charges' }],
      },
    ),
    optional(
      'two-step',
      facts.hasTwoStep,
      { text: 'Everyone on the staff has two-step login.' },
      {
        text: 'A stolen password opens the data of your customers: not everyone on the staff has two-step login.',
        links: [{ label: 'Set up two-step login', href: '/dashboard/security' }],
      },
    ),
    optional(
      'logo',
      Boolean(brand.logo || brand.logoOnDark),
      { text: 'The shop has a logo.', links: [settingsLink('Edit brand', 'brand')] },
      { text: 'The shop has no logo yet.', links: [settingsLink('Upload a logo', 'brand')] },
    ),
    optional(
      'home',
      Object.keys(home).some((field) => field !== 'placeholders'),
      { text: 'The home page has your own content.', links: [settingsLink('Edit home page', 'home')] },
      { text: 'The home page is the one of a new shop.', links: [settingsLink('Edit home page', 'home')] },
    ),
    optional(
      'post',
      facts.hasPosts,
      { text: 'The shop has a post.', links: [{ label: 'Edit posts', href: '/dashboard/pages?kind=post' }] },
      {
        text: 'The shop has no post yet.',
        links: [{ label: 'Write a post', href: '/dashboard/edit-page/new?kind=post' }],
      },
    ),
  ]
}
