import * as z from 'zod/mini'
import { id, line, lines, paging, requiredLine, timestamp } from './fields.ts'
import { isAllowedLink } from './hrefs.ts'
import { isUploadedImage } from './pictures.ts'
import { normalizePath } from './shop-paths.ts'

export const documentKinds = ['page', 'post'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** The legal pages, in the order of the footer. */
export const legalKinds = ['imprint', 'terms', 'privacy', 'withdrawal', 'shipping'] as const
export type LegalKind = (typeof legalKinds)[number]

export const documentFolders = { page: '/pages', post: '/blogs' } as const satisfies Record<
  DocumentKind,
  string
>

/** The path of a page or a post. */
export const documentPath = ({ kind, slug }: { kind: DocumentKind; slug: string }): string =>
  `${documentFolders[kind]}/${slug}`

const maxBodyLength = 100_000

/** The text of a version. A draft may be incomplete. */
const text = {
  title: line(120),
  summary: line(300),
  /** Shown above the title of a post. */
  category: line(40),
  /** The URL of an uploaded picture, or blank. */
  image: line(200).check(
    z.refine((url) => url === '' || isUploadedImage(url), 'Upload a picture, or leave this blank'),
  ),
  /** Markdown. HTML in it is shown as text. */
  body: lines(maxBodyLength, `At most ${maxBodyLength.toLocaleString('en-US')} characters`),
}

const slug = requiredLine(80, 'Address is required').check(
  z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lower-case letters, digits and single dashes'),
)

const isLegalOfPage = ({ kind, legalKind }: { kind: DocumentKind; legalKind?: LegalKind | undefined }) =>
  legalKind === undefined || kind === 'page'

export const NewDocument = z
  .object({ kind: z.enum(documentKinds), slug, legalKind: z.optional(z.enum(legalKinds)), ...text })
  .check(z.refine(isLegalOfPage, { path: ['legalKind'], message: 'Only a page can be a legal page' }))
export type NewDocument = z.infer<typeof NewDocument>

/** The draft, with what changes immediately: the address, and which legal page it is. */
export const EditedDocument = z.object({ slug, legalKind: z.optional(z.enum(legalKinds)), ...text })
export type EditedDocument = z.infer<typeof EditedDocument>

export const DocumentId = z.object({ id })

/** `scheduled`: nothing is visible yet. `changed`: a draft or a scheduled version is newer than the visible one. */
const documentStatuses = ['draft', 'scheduled', 'published', 'changed', 'archived'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

const listed = {
  id: z.string(),
  kind: z.enum(documentKinds),
  slug: z.string(),
  legalKind: z.optional(z.enum(legalKinds)),
  status: z.enum(documentStatuses),
  /** When a version in the future becomes visible, in ISO 8601. */
  scheduledFor: z.optional(z.string()),
}

export const DocumentQuery = z.object({ kind: z.optional(z.enum(documentKinds)), ...paging })
/** `title`: of the newest version. `savedAt`, in ISO 8601: when that was saved. */
export const ListedDocument = z.object({ ...listed, title: z.string(), savedAt: z.string() })
export type ListedDocument = z.infer<typeof ListedDocument>

const Text = z.object({
  title: z.string(),
  summary: z.string(),
  category: z.string(),
  image: z.string(),
  body: z.string(),
})
export type DocumentText = z.infer<typeof Text>

/** Times in ISO 8601. Without `publishedAt` it is the draft. */
const Version = z.object({
  number: z.int(),
  title: z.string(),
  savedAt: z.string(),
  /** The email of an admin. */
  savedBy: z.optional(z.string()),
  publishedAt: z.optional(z.string()),
})

export const StoredDocument = z.object({
  ...listed,
  /** The draft, or the newest version. */
  text: Text,
  hasDraft: z.boolean(),
  /** `text` as HTML. */
  html: z.string(),
  /** The number of the version that visitors see. */
  visible: z.optional(z.int()),
  /** The newest 100 versions, newest first. */
  versions: z.array(Version),
})
export type StoredDocument = z.infer<typeof StoredDocument>

export const VersionId = z.object({
  id,
  number: z.coerce.number().check(z.int(), z.gte(1), z.lte(2_147_483_647)),
})
export const DocumentVersion = z.extend(Text, { number: z.int(), html: z.string() })

/** Without `at`: now. */
export const Publication = z.object({ at: z.optional(timestamp) })

export const Markdown = z.object({ body: text.body })
export const Html = z.object({ html: z.string() })

const pathPattern = /^\/(?![/\\])[^?#]+$/
/** A path as it is typed or imported; stored in its normalised form. */
const oldPath = requiredLine(500, 'Old address is required').check(
  z.regex(pathPattern, 'Enter a path that starts with one slash, such as /products/old-name'),
  z.overwrite(normalizePath),
  z.regex(/^\/./, 'Choose another address'),
)

export const RedirectQuery = z.object(paging)
export const RedirectPath = z.object({
  path: requiredLine(500, 'Path is required').check(z.overwrite(normalizePath)),
})

const ownTarget = 'Choose an address of this shop'
/** Encoded backslashes and control characters. Browsers read a decoded `/\` as the start of another host. */
const encodedControl = /%(?:5c|[01][\da-f]|7f)/i
export const EditedRedirect = z.object({
  path: oldPath,
  target: requiredLine(500, 'New address is required').check(
    z.regex(/^\//, ownTarget),
    z.refine((target: string) => isAllowedLink(target) && !encodedControl.test(target), ownTarget),
  ),
})
export type EditedRedirect = z.infer<typeof EditedRedirect>

/** `target`: the present path. `createdAt` in ISO 8601. */
export const Redirect = z.object({
  path: z.string(),
  target: z.string(),
  source: z.enum(['renamed', 'file', 'admin']),
  createdAt: z.string(),
})
export type Redirect = z.infer<typeof Redirect>

/** A page or post that visitors see. Times in ISO 8601. */
export interface PublicDocument extends Omit<DocumentText, 'body'> {
  kind: DocumentKind
  path: string
  html: string
  /** When the first version became visible. */
  publishedAt: string
  changedAt: string
}

/** A post in the list. */
export type ListedPost = Omit<PublicDocument, 'html' | 'changedAt'>

/** A visible legal page. */
export interface LegalPage {
  title: string
  path: string
}
