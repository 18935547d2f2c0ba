import * as z from 'zod/mini'
import { line } from './fields.ts'
import { orderEventKinds } from './orders.ts'

/** What a change can be about. */
export const auditAreas = ['orders', 'stock', 'products', 'roles'] as const
export type AuditArea = (typeof auditAreas)[number]

const timestamp = z.iso.datetime({ offset: true, error: 'A moment such as 2026-05-01T00:00:00Z' })

export const AuditQuery = z.object({
  area: z.optional(z.enum(auditAreas)),
  /** The email of who made the change, or `shop` for the shop itself. */
  by: z.optional(line(254)),
  /** The id of an order or a product, the first six characters of it or more, or a customer's email. */
  subject: z.optional(line(254)),
  from: z.optional(timestamp),
  /** Before this moment. */
  to: z.optional(timestamp),
  /** Where the page before this one has ended: its `next`. */
  after: z.optional(line(200)),
  pageSize: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
})
export type AuditQuery = z.infer<typeof AuditQuery>

const stockKinds = ['sale', 'release', 'restock', 'count'] as const
/** Whom no admin made one became it by the setting ADMIN_EMAILS, at that sign-in, or by the command line. */
const roleKinds = ['admin', 'admin_by_settings', 'admin_by_command', 'admin_removed'] as const
const productKinds = ['added', 'edited', 'deleted'] as const

/** A field of a product as it was, and as it became; prices in dollars. Absent where there was nothing. */
const FieldChange = z.object({
  field: z.string(),
  before: z.optional(z.string()),
  after: z.optional(z.string()),
})

/** One change: times in ISO 8601; `by` is absent where it was the shop itself, `address` where it is not known. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  area: z.enum(auditAreas),
  kind: z.enum([...orderEventKinds, ...stockKinds, ...productKinds, ...roleKinds]),
  by: z.optional(z.object({ email: z.string(), role: z.enum(['customer', 'admin']) })),
  ip: z.optional(z.string()),
  /** An order by its product, a product by its name, a person by email. `gone`: cancelled, or out of the shop. */
  subject: z.object({ id: z.string(), name: z.string(), deleted: z.boolean() }),
  /** How many pieces came, or went where it is below 0. */
  pieces: z.optional(z.int()),
  /** The order that stock was moved for. */
  orderId: z.optional(z.string()),
  changes: z.optional(z.array(FieldChange)),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** `next` is absent on the last page. */
export const AuditPage = z.object({ entries: z.array(AuditEntry), next: z.optional(z.string()) })
