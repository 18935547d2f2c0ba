import * as z from 'zod/mini'
import { line, timestamp } from './fields.ts'
import { orderEventKinds } from './orders.ts'
import { staffRoles } from './permissions.ts'
import { staffActor } from './staff.ts'

/** The areas that audit entries can be filtered by. */
export const auditAreas = [
  'orders',
  'stock',
  'products',
  'roles',
  'brands',
  'bikes',
  'aces-codes',
  'rates',
  'synonyms',
  'imports',
  'attributes',
  'settings',
  'content',
  'two-step',
  'refunds',
  'payment-links',
  'emails',
] as const
export type AuditArea = (typeof auditAreas)[number]

export const AuditQuery = z.object({
  area: z.optional(z.enum(auditAreas)),
  /** The actor's email, or `shop` for automatic changes. */
  by: z.optional(line(254)),
  /** The id of an order or a product, at least its first six characters, a part number, a customer's email, a brand, a bike, a kind of code, a shipping or tax rate, a discount code, the first phrase of a group of synonyms, a kind of part, the path of a page, a post or a redirect, an import, a group of settings, the order of a refund, a payment link or an email, or `import:` and its id for all that it has changed. */
  subject: z.optional(line(254)),
  from: z.optional(timestamp),
  /** Exclusive. */
  to: z.optional(timestamp),
  /** Cursor: `next` of the previous page. */
  after: z.optional(line(200)),
  pageSize: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
})
export type AuditQuery = z.infer<typeof AuditQuery>

const stockKinds = ['sale', 'release', 'return', 'restock', 'count'] as const
/** If no admin granted the role, the setting ADMIN_EMAILS did at sign-in, or the command line. */
const roleKinds = [...staffRoles, 'admin_by_settings', 'admin_by_command', 'admin_removed'] as const
const productKinds = ['added', 'edited', 'deleted'] as const

/** The old and new value of a field, prices in dollars. Absent if it had no value. */
const FieldChange = z.object({
  field: z.string(),
  before: z.optional(z.string()),
  after: z.optional(z.string()),
})

/** One change. `at` is in ISO 8601. `by` is absent for automatic changes, `ip` if unknown. Guests have no account. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  area: z.enum(auditAreas),
  kind: z.enum([...orderEventKinds, ...stockKinds, ...productKinds, ...roleKinds]),
  by: z.optional(
    z.object({
      email: z.string(),
      role: z.enum(['customer', 'guest', 'admin']),
      ...staffActor,
    }),
  ),
  ip: z.optional(z.string()),
  /**
   * `name`: the product's name, with size and colour if the change concerns a `variant`, the person's email, or
   * the brand, with the kind of products if the change concerns a size chart; a make, a model or a bike; a kind of ACES codes; a shipping or tax rate; a discount code;
   * the first phrase of a group of synonyms; the file of an import; a kind of part; a group of settings; the title of a page or a post; the path of a redirect;
   * a refund, a payment link or an email, with the number of its order.
   * `deleted`: a cancelled order or a deleted product.
   */
  subject: z.object({
    id: z.string(),
    name: z.string(),
    deleted: z.boolean(),
    variant: z.optional(z.literal(true)),
  }),
  /** Change of the stock. Negative if the stock decreased. */
  pieces: z.optional(z.int()),
  /** The order that caused a stock movement. */
  orderId: z.optional(z.string()),
  changes: z.optional(z.array(FieldChange)),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** `next` is absent on the last page. */
export const AuditPage = z.object({ entries: z.array(AuditEntry), next: z.optional(z.string()) })
