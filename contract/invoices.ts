import * as z from 'zod/mini'
import { id } from './fields.ts'
import { Charge } from './quote.ts'

const invoiceKinds = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** Without a refund: the invoice of the order. With one: the credit note of this refund. */
export const NewInvoice = z.object({ refundId: z.optional(id) })

/** The shop as a document names it. Without a tax id the documents are receipts. */
export const Seller = z.object({
  name: z.string(),
  address: z.array(z.string()),
  taxId: z.optional(z.string()),
})
export type Seller = z.infer<typeof Seller>

/** A line of a document, in dollars. A credit note has no unit prices, and its totals include the tax. */
export const InvoiceLine = z.object({
  name: z.string(),
  sku: z.optional(z.string()),
  size: z.optional(z.string()),
  colour: z.optional(z.string()),
  /** Missing if an amount was refunded without pieces. */
  quantity: z.optional(z.int()),
  unitPrice: z.optional(z.number()),
  total: z.number(),
  /** The tax in the total. Only in credit notes. */
  tax: z.optional(z.number()),
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

/** An invoice or a credit note, with everything that is printed. Amounts in dollars, times in ISO 8601. */
export const Invoice = z.object({
  kind: z.enum(invoiceKinds),
  /** Such as `INV-000123` or `CN-000007`. */
  number: z.string(),
  issuedAt: z.string(),
  seller: Seller,
  buyer: z.object({ name: z.string(), email: z.string(), address: z.array(z.string()) }),
  orderId: z.string(),
  orderedAt: z.optional(z.string()),
  paidAt: z.optional(z.string()),
  lines: z.array(InvoiceLine),
  /** A credit note has the tax in its total. */
  charges: z.array(Charge),
  total: z.number(),
  /** Only in credit notes: why money is returned, and the invoice that they correct. */
  refund: z.optional(z.object({ reason: z.string(), invoiceNumber: z.string(), invoicedAt: z.string() })),
})
export type Invoice = z.infer<typeof Invoice>
