import * as z from 'zod/mini'
import { countryCodes } from './address-rules.ts'
import { legalKinds } from './documents.ts'
import { type EmailTextKind, emailTextKinds } from './email-texts.ts'
import { email, id, line, lines, requiredLine } from './fields.ts'
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

const uploadedPicture = line(200).check(
  z.refine((value) => value === '' || readUploaded(value) !== null, 'Upload this picture to the shop'),
)
const picture = z.optional(uploadedPicture)
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

const Banner = z.object({
  title: requiredLine(40, 'Title is required'),
  text: line(120),
  /** Blank: a banner of text. */
  picture: uploadedPicture,
  href,
})
export type Banner = z.infer<typeof Banner>

const Stat = z.object({
  figure: requiredLine(10, 'Figure is required'),
  label: requiredLine(30, 'Label is required'),
})
export type Stat = z.infer<typeof Stat>

const maxHeroLines = 2
export const maxFeatured = 8
export const maxBanners = 3
const statCount = 4

/** The home page. Each field is optional. */
export const HomeGroup = z.object({
  /** The title at its top. */
  lines: z.optional(
    z
      .array(requiredLine(20, 'Title is required'))
      .check(z.maxLength(maxHeroLines, `At most ${maxHeroLines} lines`)),
  ),
  text: text(200),
  /** The label of the button, and its target. */
  button: text(30),
  href: z.optional(href),
  picture,
  /** The products that it shows, in this order; by default the first four. */
  productIds: z.optional(z.array(id).check(z.maxLength(maxFeatured, `At most ${maxFeatured} products`))),
  banners: z.optional(z.array(Banner).check(z.maxLength(maxBanners, `At most ${maxBanners} banners`))),
  /** Large figures. Empty: none. */
  stats: z.optional(
    z
      .array(Stat)
      .check(
        z.refine(({ length }) => length === 0 || length === statCount, `Enter ${statCount} figures, or none`),
      ),
  ),
  /** False: the shop shows no invented figures, no sample posts and no links without a target. */
  placeholders: z.optional(z.boolean()),
})
export type HomeGroup = z.infer<typeof HomeGroup>

/** A blank subject has its default. A blank text is left out of the email. */
export const EmailTexts = z.object({
  subject: text(120),
  before: z.optional(lines(1000)),
  after: z.optional(lines(1000)),
})
export type EmailTexts = z.infer<typeof EmailTexts>

const forEachEmail = <Texts extends z.ZodMiniType>(texts: Texts) =>
  z.object(
    Object.fromEntries(emailTextKinds.map((kind) => [kind, z.optional(texts)])) as Record<
      EmailTextKind,
      z.ZodMiniOptional<Texts>
    >,
  )

/** The texts of emails, by kind. The others have their defaults. */
export const EmailsGroup = forEachEmail(EmailTexts)
export type EmailsGroup = z.infer<typeof EmailsGroup>

/** Of any length that can be saved: a saved group has at most 64 KiB. */
const anyText = z.optional(z.string().check(z.trim(), z.maxLength(65_536)))

/**
 * All texts in a request. The shop checks those that differ from the saved ones, as `EmailsGroup` describes them: an earlier
 * version may have saved longer ones, which must not prevent a save of another email.
 */
export const EditedEmails = forEachEmail(z.object({ subject: anyText, before: anyText, after: anyText }))

/** An email with texts that may not be saved yet. Missing ones have their defaults. */
export const EmailDraft = z.extend(EmailTexts, { kind: z.enum(emailTextKinds) })
export type EmailDraft = z.infer<typeof EmailDraft>

/** An email with the values of an example. */
export const EmailPreview = z.object({ subject: z.string(), html: z.string(), text: z.string() })
export type EmailPreview = z.infer<typeof EmailPreview>

/** The groups of settings. Each is saved as a whole, and has a version. */
export const settingGroups = {
  shop: ShopGroup,
  brand: BrandGroup,
  footer: FooterGroup,
  home: HomeGroup,
  emails: EmailsGroup,
} as const
export type SettingGroup = keyof typeof settingGroups
export type SettingValue<Group extends SettingGroup> = z.infer<(typeof settingGroups)[Group]>

const groupNames = ['shop', 'brand', 'footer', 'home', 'emails'] as const satisfies readonly SettingGroup[]

export const SettingName = z.object({ name: z.enum(groupNames) })

/** The saved fields of a group, as its schema describes them. The others have their defaults. */
export const SavedSettings = z.record(z.string(), z.unknown())

/** Items that a shop can sell without. */
export const optionalSetupIds = ['charges', 'two-step', 'logo', 'home', 'post'] as const

const setupIds = [
  'contact',
  ...legalKinds,
  'placeholders',
  'stock',
  'demo',
  'payments',
  'email',
  'https',
  'owner',
  ...optionalSetupIds,
] as const
export type SetupId = (typeof setupIds)[number]
export type OptionalSetupId = (typeof optionalSetupIds)[number]

/** Something that a shop needs before it can sell. `links`: the pages that complete it; `settings`: the variables. */
const SetupItem = z.object({
  id: z.enum(setupIds),
  state: z.enum(['done', 'missing', 'optional']),
  text: z.string(),
  links: z.optional(z.array(z.object({ label: z.string(), href: z.string() }))),
  settings: z.optional(z.array(z.string())),
  /** A value to copy, such as the URL of the webhook. */
  value: z.optional(z.object({ label: z.string(), text: z.string() })),
  /** A call that the screen offers. */
  action: z.optional(z.enum(['remove-placeholders', 'send-test-email'])),
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
  /** Whether the shop has its default name. The drawn mark has its initial. */
  isUnnamed: boolean
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

/** The texts and pictures of the home page. */
export interface HomeContent {
  /** For search engines. */
  title: string
  description: string
  hero: {
    /** One or two lines. */
    title: string
    /** Whether a line is too long for the largest size. */
    isLong: boolean
    text: string
    button: string
    href: string
    /** Null: the drawing of the shop. */
    picture: string | null
  }
  banners: Banner[]
  stats: Stat[]
}

/** The settings that only some pages show, or the head of a document. */
export interface ShopDetails {
  contact: Contact
  postalAddress: { street: string; postalCode: string; city: string; country: string } | null
  /** URLs of the shop at other sites. */
  social: string[]
  home: HomeContent
  /** Chosen for the home page; empty: the first ones. */
  productIds: string[]
  /** Whether the list of posts has samples until the first post is visible. */
  hasSamplePosts: boolean
  /** On light grounds. */
  logo: string | null
  icon: string | null
  shareImage: string | null
  /** As `#rrggbb`; null: the colour of the style sheet. */
  accent: string | null
  accentOnDark: string | null
}
