import { addressLines, countryName } from '../../../contract/address-rules.ts'
import {
  type BrandColor,
  formatRatio,
  isReadable,
  lowestContrast,
  nearestReadable,
} from '../../../contract/contrast.ts'
import {
  defaultFooter,
  defaultHero,
  defaultHome,
  defaultName,
  defaultPlace,
  defaultStats,
  defaultTagline,
} from '../../../contract/default-settings.ts'
import {
  defaultEmailTexts,
  emailTextFields,
  emailTextKinds,
  refusePlaceholders,
} from '../../../contract/email-texts.ts'
import type { Seller } from '../../../contract/invoices.ts'
import type {
  BrandGroup,
  EmailsGroup,
  EmailTexts,
  FooterColumn,
  HomeContent,
  HomeGroup,
  SettingGroup,
  SettingValue,
  ShopDetails,
  ShopFace,
  ShopGroup,
  Stat,
} from '../../../contract/settings.ts'

/** The saved fields of a group. */
export type SavedValue = Record<string, unknown>

/** The saved fields of all groups. */
export type SavedShop = { [Group in SettingGroup]: SettingValue<Group> }

/** The seller as the environment names it. Settings that an admin has saved replace it. */
export interface ConfiguredSeller {
  /** Null: the name of the shop. */
  name: string | null
  address: string[]
  taxId?: string | undefined
  email: string | null
}

/** The settings of the shop, ready to use: what is not saved has its default. */
export interface PublishedSettings {
  face: ShopFace
  details: ShopDetails
  /** On invoices, packing slips and in emails. */
  seller: Seller
  contactEmail: string | null
  /** The name that an admin has saved, for the sender of emails; null: the one of the environment. */
  savedName: string | null
  /** The email that an admin has saved, to which replies go. */
  replyTo: string | null
  /** The texts of emails that an admin has changed. */
  emails: EmailsGroup
}

/** Fills in the defaults. */
export function publishSettings(
  { shop, brand, footer, home, emails }: SavedShop,
  configured: ConfiguredSeller,
): PublishedSettings {
  const name = shop.name ?? defaultName
  const address = toLines(shop)
  const seller = {
    name: shop.legalName ?? configured.name ?? name,
    address: address ?? configured.address,
    taxId: configured.taxId,
  }
  return {
    face: {
      name,
      tagline: shop.tagline ?? defaultTagline(name),
      logo: brand.logoOnDark ?? brand.logo ?? null,
      isUnnamed: shop.name === undefined,
      columns: listColumns({ footer, home }),
      social: (shop.social ?? []).map((href) => ({ label: toSiteName(href), href })),
    },
    details: toDetails({ shop, brand, home }),
    seller,
    contactEmail: shop.email ?? configured.email,
    savedName: shop.name ?? null,
    replyTo: shop.email ?? null,
    emails,
  }
}

/** Returns the columns that the footer shows. */
export function listColumns({ footer, home }: Pick<SavedShop, 'footer' | 'home'>): FooterColumn[] {
  const columns = footer.columns ?? defaultFooter
  if (home.placeholders !== false) return columns
  return columns
    .map(({ title, links }) => ({ title, links: links.filter(({ href }) => href !== '') }))
    .filter(({ links }) => links.length > 0)
}

/** Returns the figures that the home page shows. */
const listStats = ({ stats, placeholders }: HomeGroup): Stat[] =>
  stats ?? (placeholders === false ? [] : defaultStats)

/** Whether the home page shows the invented figures, by default or because they were saved. */
export function hasInventedStats(home: HomeGroup): boolean {
  const stats = listStats(home)
  return defaultStats.every(
    ({ figure, label }, index) => stats[index]?.figure === figure && stats[index].label === label,
  )
}

const maxLargeLine = 10

function toHome(home: HomeGroup, shop: ShopGroup): HomeContent {
  const lines = home.lines?.length ? home.lines : defaultHero.lines
  return {
    title: shop.homeTitle ?? defaultHome.title,
    description: shop.homeDescription ?? defaultHome.description,
    hero: {
      title: lines.join('\n'),
      isLong: lines.some(({ length }) => length > maxLargeLine),
      text: home.text || defaultHero.text,
      button: home.button || defaultHero.button,
      href: home.href || defaultHero.href,
      picture: home.picture || null,
    },
    banners: home.banners ?? [],
    stats: listStats(home),
  }
}

function toDetails({ shop, brand, home }: Pick<SavedShop, 'shop' | 'brand' | 'home'>): ShopDetails {
  const { street = '', postalCode = '', city = '', country = '', latitude, longitude } = shop
  const address = toLines(shop)
  // A shop with a name of its own is not at the invented place.
  const isDefaultPlace = shop.name === undefined && latitude === undefined && address === null
  const own = latitude === undefined || longitude === undefined ? null : { latitude, longitude }
  return {
    contact: {
      legalName: shop.legalName ?? '',
      address: address ?? [],
      email: shop.email ?? '',
      phone: shop.phone ?? '',
      hours: shop.hours ?? [],
      hoursNote: shop.hoursNote ?? '',
      place: isDefaultPlace ? defaultPlace : own,
      isDefaultPlace,
      showFeedback: shop.showFeedback ?? true,
    },
    postalAddress: address && { street, postalCode, city, country },
    social: shop.social ?? [],
    home: toHome(home, shop),
    productIds: [...new Set(home.productIds)],
    hasSamplePosts: home.placeholders !== false,
    logo: brand.logo ?? null,
    icon: brand.icon ?? null,
    shareImage: brand.shareImage ?? null,
    accent: brand.accent ?? null,
    accentOnDark: brand.accentOnDark ?? null,
  }
}

/** Returns the lines of the saved address; null if no part of it is saved. */
function toLines({ street = '', postalCode, city = '', country }: ShopGroup): string[] | null {
  if (!street && !postalCode && !city && !country) return null
  const lines = addressLines({ line1: street, city, postalCode, country: country ?? 'US' })
  return country ? lines : lines.filter((line) => line !== countryName('US'))
}

/** Such as `instagram.com`. */
const toSiteName = (url: string): string => new URL(url).hostname.replace(/^www\./, '')

/** Leaves out blank fields, which have their defaults. */
export const dropBlank = (value: object): SavedValue =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== ''))

/** Leaves out the default texts, so that a later version can change them. */
export function dropDefaultTexts(emails: EmailsGroup): EmailsGroup {
  const changed = emailTextKinds.flatMap((kind) => {
    const texts: EmailTexts = emails[kind] ?? {}
    const usual = defaultEmailTexts[kind]
    const fields = emailTextFields
      .map((field) => [field, texts[field]] as const)
      .filter(([field, text]) => text !== undefined && text !== usual[field])
      .filter(([field, text]) => field !== 'subject' || text !== '')
    return fields.length > 0 ? [[kind, Object.fromEntries(fields)]] : []
  })
  return Object.fromEntries(changed) as EmailsGroup
}

/** Returns a message for each text with an unknown placeholder, by its field; null if there is none. */
export function refuseTexts(emails: EmailsGroup): Record<string, string> | null {
  const messages = emailTextKinds.flatMap((kind) =>
    emailTextFields.flatMap((field) => {
      const message = refusePlaceholders(kind, emails[kind]?.[field] ?? '')
      return message ? [[`${kind}.${field}`, message]] : []
    }),
  )
  return messages.length > 0 ? Object.fromEntries(messages) : null
}

const brandColors = ['accent', 'accentOnDark'] as const satisfies readonly BrandColor[]

/** Returns a message for each colour that is hard to read, by its field; null if there is none. */
export function refuseColors(brand: BrandGroup): Record<string, string> | null {
  const messages = brandColors.flatMap((name) => {
    const color = brand[name]
    if (!color || isReadable(name, color)) return []
    const ratio = formatRatio(lowestContrast(name, color))
    const nearest = nearestReadable(name, color)
    return [
      [name, `This colour is hard to read: ${ratio} to 1. At least 4.5 is needed, for example ${nearest}.`],
    ]
  })
  return messages.length > 0 ? Object.fromEntries(messages) : null
}

/** Describes a value for the audit: lists have one text for each item. */
export const describeValue = (value: SavedValue): Record<string, string | number | string[]> =>
  Object.fromEntries(
    Object.entries(value).map(([field, each]) => [
      field,
      Array.isArray(each) ? each.map(describeItem) : typeof each === 'number' ? each : describeItem(each),
    ]),
  )

/** Such as `Services: Fitting advice, About us /about`. */
function describeItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const { title, links, ...rest } = item as Record<string, unknown>
  if (Array.isArray(links)) return `${String(title)}: ${links.map(describeItem).join(', ')}`
  return Object.values(title === undefined ? rest : { title, ...rest })
    .map(String)
    .filter(Boolean)
    .join(' ')
}
