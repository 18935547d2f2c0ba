import { createPortal } from 'react-dom'
import { formatUtcDate } from '../../../contract/dates.ts'
import type { Invoice, InvoiceLine } from '../../../contract/invoices.ts'
import { formatAmounts, toSubtotal } from './charge-rows.tsx'
import { orderNumber, refundReason } from './order-labels.tsx'
import { Part } from './packing-slip.tsx'
import { invoiceTitle } from './print-invoice.tsx'

// The same date for every reader.

/** An invoice or a credit note. Replaces the page when it is printed, and is hidden on screens. */
export function InvoiceDocument({ invoice }: { invoice: Invoice }) {
  const { kind, number, issuedAt, seller, buyer, orderId, orderedAt, paidAt, refund } = invoice
  const title = invoiceTitle(kind, seller.taxId !== undefined)
  return createPortal(
    // The main element of the page is not printed.
    <main data-print="only" className="hidden text-base text-ink print:block">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 border-b-2 border-ink pb-3">
        <h1 className="font-display text-3xl font-bold">
          {title} {number}
        </h1>
        <span className="font-display text-xl font-bold wrap-anywhere">{seller.name}</span>
      </header>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 py-6">
        <Part name="From">
          {[seller.name, ...seller.address, seller.taxId && `Tax ID: ${seller.taxId}`]
            .filter(Boolean)
            .join('\n')}
        </Part>
        <Part name="To">{[buyer.name, ...buyer.address, buyer.email].filter(Boolean).join('\n')}</Part>
        <Part name="Date">
          <strong>{formatUtcDate(issuedAt)}</strong>
        </Part>
        <Part name="Order">
          #{orderNumber(orderId)}
          {orderedAt && ` of ${formatUtcDate(orderedAt)}`}
          {!refund && paidAt && `\nPaid on ${formatUtcDate(paidAt)}`}
        </Part>
        {refund && (
          <>
            <Part name={invoiceTitle('invoice', seller.taxId !== undefined)}>
              {refund.invoiceNumber} of {formatUtcDate(refund.invoicedAt)}
            </Part>
            <Part name="Reason">{refundReason(refund)}</Part>
          </>
        )}
      </dl>
      {refund ? <RefundedLines invoice={invoice} /> : <OrderedLines invoice={invoice} />}
      <p className="mt-6 text-sm text-quiet">All amounts are in US dollars.</p>
    </main>,
    document.body,
  )
}

/** The lines of the order with their prices, and its charges. */
function OrderedLines({ invoice: { lines, charges, total } }: { invoice: Invoice }) {
  const sums = [
    ...(charges.length > 0 ? [{ label: 'Subtotal', amount: toSubtotal(lines) }] : []),
    ...charges.map(({ label, amount, included }) => ({
      label: included ? `Includes ${label}` : label,
      amount,
    })),
    { label: 'Total', amount: total },
  ]
  const amounts = formatAmounts([
    ...sums.map(({ amount }) => amount),
    ...lines.flatMap((line) => [line.unitPrice ?? line.total, line.total]),
  ])
  return (
    <Lines
      heads={['Quantity', 'Unit price', 'Amount']}
      rows={lines.map((line, index) => {
        const [unitPrice, total] = amounts.slice(sums.length + 2 * index)
        return { line, cells: [line.quantity, unitPrice, total] }
      })}
      sums={sums.map(({ label }, index) => [label, amounts[index]])}
    />
  )
}

/** The amounts that were refunded, with the tax in them. */
function RefundedLines({ invoice: { lines, charges, total } }: { invoice: Invoice }) {
  const sums = [
    ...charges.map(({ label, amount }) => ({ label: `Includes ${label}`, amount })),
    { label: 'Total refunded', amount: total },
  ]
  const amounts = formatAmounts([
    ...sums.map(({ amount }) => amount),
    ...lines.flatMap((line) => [line.tax ?? 0, line.total]),
  ])
  const hasTax = charges.length > 0
  return (
    <Lines
      heads={hasTax ? ['Quantity', 'Includes tax', 'Amount'] : ['Quantity', 'Amount']}
      rows={lines.map((line, index) => {
        const [tax, total] = amounts.slice(sums.length + 2 * index)
        const quantity = line.quantity ?? '–'
        return { line, cells: hasTax ? [quantity, tax, total] : [quantity, total] }
      })}
      sums={sums.map(({ label }, index) => [label, amounts[index]])}
    />
  )
}

type Cell = string | number | undefined

interface LinesProps {
  /** The heads of the columns after the product. */
  heads: string[]
  rows: { line: InvoiceLine; cells: Cell[] }[]
  /** The last one is the total. */
  sums: [label: string, amount: Cell][]
}

function Lines({ heads, rows, sums }: LinesProps) {
  return (
    <table className="w-full border-collapse text-left text-sm">
      <thead>
        <tr className="border-b-2 border-ink align-bottom">
          <th scope="col" className="py-2">
            Product
          </th>
          {heads.map((head) => (
            <th key={head} scope="col" className="py-2 pl-3 text-right">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line: { name, sku, size, colour }, cells }, row) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no id and never change
          <tr key={row} className="break-inside-avoid border-b border-edge align-top">
            <td className="py-2 wrap-anywhere">
              {name}
              <span className="block text-quiet">{[sku, size, colour].filter(Boolean).join(', ')}</span>
            </td>
            {cells.map((cell, column) => (
              <td key={heads[column]} className="py-2 pl-3 text-right whitespace-nowrap tabular-nums">
                {cell}
              </td>
            ))}
          </tr>
        ))}
        {/* Browsers repeat a table footer on each page. */}
        {sums.map(([label, amount], index) => (
          <tr
            key={label}
            className={`break-inside-avoid ${index === sums.length - 1 ? 'border-t-2 border-ink text-lg font-bold' : ''}`}
          >
            <th
              scope="row"
              colSpan={heads.length}
              className={`py-1 text-right ${index < sums.length - 1 ? 'font-normal' : ''}`}
            >
              {label}
            </th>
            <td className="py-1 pl-3 text-right whitespace-nowrap tabular-nums">{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
