import type { Invoice, InvoiceLine } from '../../../contract/invoices.ts'
import { toDollars } from '../../../contract/money.ts'
import * as orders from '../orders/service.ts'
import type * as queries from './queries.ts'

export const presentInvoice = (order: orders.Order, invoice: queries.Invoice): Invoice => ({
  ...presentHead(order, invoice),
  lines: order.lines.map((line) => ({
    ...nameLine(line),
    quantity: line.quantity,
    unitPrice: toDollars(line.unit_price_cents),
    total: toDollars(line.unit_price_cents * line.quantity),
  })),
  charges: order.charges.map(orders.presentCharge),
  total: toDollars(order.amount_cents),
})

export function presentCreditNote(
  order: orders.Order,
  invoice: queries.Invoice,
  creditNote: queries.Invoice,
  refund: queries.Refund,
): Invoice {
  const shipping = order.charges.find(({ kind }) => kind === 'shipping')
  const tax = order.charges.find(({ kind }) => kind === 'tax')
  const taxCents = refund.lines.reduce((sum, { tax_cents }) => sum + tax_cents, 0)
  return {
    ...presentHead(order, creditNote),
    lines: refund.lines
      .filter(({ amount_cents }) => amount_cents > 0)
      .map(({ line_number, pieces, amount_cents, tax_cents }) => {
        const line = order.lines[line_number - 1]
        return {
          ...(line ? nameLine(line) : { name: shipping?.label ?? 'Shipping' }),
          quantity: pieces || undefined,
          total: toDollars(amount_cents),
          tax: toDollars(tax_cents),
        }
      }),
    charges: tax ? [{ kind: 'tax', label: tax.label, amount: toDollars(taxCents), included: true }] : [],
    total: toDollars(refund.amount_cents),
    refund: {
      reason: refund.reason,
      invoiceNumber: toNumber(invoice),
      invoicedAt: invoice.issued_at.toISOString(),
    },
  }
}

const presentHead = (order: orders.Order, invoice: queries.Invoice) => ({
  kind: invoice.kind,
  number: toNumber(invoice),
  issuedAt: invoice.issued_at.toISOString(),
  seller: invoice.seller,
  buyer: {
    name: order.customer_name,
    email: order.customer_email,
    address: orders.presentAddressLines(order) ?? [order.shipping_address],
  },
  orderId: order.id,
  orderedAt: order.placed_at?.toISOString(),
  paidAt: order.paid_at?.toISOString(),
})

const prefixes = { invoice: 'INV', credit_note: 'CN' } as const

const toNumber = ({ kind, number }: queries.Invoice): string =>
  `${prefixes[kind]}-${String(number).padStart(6, '0')}`

const nameLine = (
  line: orders.Order['lines'][number],
): Pick<InvoiceLine, 'name' | 'sku' | 'size' | 'colour'> => ({
  name: line.product_name,
  sku: line.sku ?? undefined,
  size: line.size ?? undefined,
  colour: line.colour ?? undefined,
})
