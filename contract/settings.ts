import * as z from 'zod/mini'
import { countryCodes } from './address-rules.ts'
import { email, line, requiredLine } from './fields.ts'
import { href, httpsUrl } from './hrefs.ts'
import { readUploaded } from './pictures.ts'

/** Blank fields are missing: they have their defaults. */
const text = (max: number) => z.optional(line(max))

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 09:00'))

/** The hours of the days from one weekday to another, perhaps the same. */
const Hours = z.object({
  from: z.enum(weekdays, 'Select a day'),
  to: z.enum(weekdays, 'Select a day'),
  opens: time,
  closes: time,
})
export type Hours = z.infer<typeof Hours>

const degrees = (limit: number, message: string) =>
  z.number(message).check(z.gte(-limit, message), z.lte(limit, message))

export const maxHours = 14
const maxSocial = 8

/** Name and contact of the shop. Each field is optional. */
export const ShopGroup = z
  .object({
    name: text(30),
    /** The line about the company in the footer. */
    tagline: text(160),
    legalName: text(100),
    email: z.optional(
      line(254).check(
        z.toLowerCase(),
        z.refine((value) => value === '' || email.safeParse(value).success, 'Email not valid'),
      ),
    ),
    phone: text(40),
    street: text(100),
    postalCode: text(20),
    city: text(80),
    country: z.optional(z.enum(['', ...countryCodes], 'Select a country')),
    /** The place on the map, in degrees. */
    latitude: z.optional(degrees(90, 'Enter a latitude from -90 to 90')),
    longitude: z.optional(degrees(180, 'Enter a longitude from -180 to 180')),
    hours: z.optional(z.array(Hours).check(z.maxLength(maxHours, `At most ${maxHours} rows`))),
    hoursNote: text(200),
    /** Pages of the shop at other sites. */
    social: z.optional(z.array(httpsUrl).check(z.maxLength(maxSocial, `At most ${maxSocial} links`))),
    /** Title and description of the home page for search engines. */
    homeTitle: text(60),
    homeDescription: text(160),
    /** Whether Contact Us has the card Feedback; by default it has. */
    showFeedback: z.optional(z.boolean()),
  })
  .check(
    z.refine((shop) => (shop.latitude === undefined) === (shop.longitude === undefined), {
      error: 'Enter latitude and longitude',
      path: ['latitude'],
    }),
  )
export type ShopGroup = z.infer<typeof ShopGroup>

const picture = z.optional(
  line(200).check(
    z.refine((value) => value === '' || readUploaded(value) !== null, 'Upload this picture to the shop'),
  ),
)
const color = z.optional(
  line(7).check(z.toLowerCase(), z.regex(/^(#[0-9a-f]{6})?$/, 'Enter a colour such as #b93a0a')),
)

/** Pictures are URLs that the upload call has returned, colours are `#rrggbb`. */
export const BrandGroup = z.object({
  logo: picture,
  /** For dark grounds, such as the navigation bar; by default `logo`. */
  logoOnDark: picture,
  icon: picture,
  /** Shown by social networks for pages without a product. */
  shareImage: picture,
  /** Buttons and links. */
  accent: color,
  accentOnDark: color,
})
export type BrandGroup = z.infer<typeof BrandGroup>

export const maxColumns = 4
export const maxLinks = 8

/** Columns of links. By default the specified ones. */
export const FooterGroup = z.object({
  columns: z.optional(
    z
      .array(
        z.object({
          title: requiredLine(30, 'Title is required'),
          links: z
            .array(z.object({ label: requiredLine(40, 'Label is required'), href }))
            .check(z.maxLength(maxLinks, `At most ${maxLinks} links`)),
        }),
      )
      .check(z.maxLength(maxColumns, `At most ${maxColumns} columns`)),
  ),
})
export type FooterGroup = z.infer<typeof FooterGroup>
export type FooterColumn = NonNullable<FooterGroup['columns']>[number]

/** The groups of settings. Each is saved as a whole, and has a version. */
export const settingGroups = { shop: ShopGroup, brand: BrandGroup, footer: FooterGroup } as const
export type SettingGroup = keyof typeof settingGroups
export type SettingValue<Group extends SettingGroup> = z.infer<(typeof settingGroups)[Group]>

export const groupNames = ['shop', 'brand', 'footer'] as const satisfies readonly SettingGroup[]

export const SettingName = z.object({ name: z.enum(groupNames) })

/** The saved fields of a group, as its schema describes them. The others have their defaults. */
export const SavedSettings = z.record(z.string(), z.unknown())

const setupIds = ['contact', 'demo', 'payments', 'email', 'https', 'stock', 'two-step', 'logo'] as const
export type SetupId = (typeof setupIds)[number]

/** Something that a shop needs before it can sell. `link`: the page that completes it; `settings`: the variables. */
const SetupItem = z.object({
  id: z.enum(setupIds),
  state: z.enum(['done', 'missing', 'optional']),
  text: z.string(),
  link: z.optional(z.object({ label: z.string(), href: z.string() })),
  settings: z.optional(z.array(z.string())),
  /** A value to copy, such as the URL of the webhook. */
  value: z.optional(z.object({ label: z.string(), text: z.string() })),
})
export type SetupItem = z.infer<typeof SetupItem>

export const Setup = z.object({ items: z.array(SetupItem) })
export type Setup = z.infer<typeof Setup>

/** A link, without a target if `href` is empty. */
export interface Link {
  label: string
  href: string
}

/** The shop as every page shows it: its settings, or their defaults. Pictures are null if there are none. */
export interface ShopFace {
  name: string
  tagline: string
  /** On dark grounds. */
  logo: string | null
  columns: FooterColumn[]
  social: Link[]
}

/** The contact data of the shop. Texts are empty if they are not set. */
export interface Contact {
  legalName: string
  address: string[]
  email: string
  phone: string
  hours: Hours[]
  hoursNote: string
  /** In degrees; null: the shop has an address without a place on the map. */
  place: { latitude: number; longitude: number } | null
  /** Whether the place is the one of the specification, which the drawing of the map shows. */
  isDefaultPlace: boolean
  showFeedback: boolean
}

/** The settings that only some pages show, or the head of a document. */
export interface ShopDetails {
  contact: Contact
  postalAddress: { street: string; postalCode: string; city: string; country: string } | null
  /** URLs of the shop at other sites. */
  social: string[]
  home: { title: string; description: string }
  /** On light grounds. */
  logo: string | null
  icon: string | null
  shareImage: string | null
  /** As `#rrggbb`; null: the colour of the style sheet. */
  accent: string | null
  accentOnDark: string | null
}
