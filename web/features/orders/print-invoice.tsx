import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { OrderDetails } from '../../../contract/checkout.ts'
import type { Invoice, InvoiceKind } from '../../../contract/invoices.ts'
import { formatDollars } from '../../../contract/money.ts'
import type { Refund } from '../../../contract/payments.ts'
import { call, readMessage } from '../../api.ts'
import { onDemand } from '../../on-demand.ts'
import { useSettings } from '../../router/router.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { orderKeyHeaders } from './queries.ts'

/** The title of a document. A seller without a tax id issues receipts. */
export function invoiceTitle(kind: InvoiceKind, hasTaxId: boolean): string {
  if (kind === 'invoice') return hasTaxId ? 'Invoice' : 'Receipt'
  return hasTaxId ? 'Credit note' : 'Refund receipt'
}

/** Whether a refund has a credit note. */
export const hasCreditNote = ({ status, amount }: Pick<Refund, 'status' | 'amount'>): boolean =>
  amount > 0 && (status === 'succeeded' || status === 'closed')

export type InvoicePrinter = ReturnType<typeof useInvoicePrinter>

const documents = onDemand(() => import('./invoice.tsx'))

/** Prints documents of an order. The caller renders `document`, which replaces the page when it is printed. */
export function useInvoicePrinter(orderId: string, orderKey = '') {
  const [printed, setPrinted] = useState<Invoice | null>(null)
  const code = documents.useCode()
  const issue = useMutation({
    mutationFn: async (refundId: string | undefined) => {
      const sent = { params: { id: orderId }, headers: orderKeyHeaders(orderKey), body: { refundId } }
      const [invoice] = await Promise.all([call('issueInvoice', sent), documents.load()])
      return invoice
    },
    onSuccess: (invoice) => {
      flushSync(() => setPrinted(invoice))
      // Browsers suggest the title as the name of the file.
      const { title } = document
      document.title = invoice.number
      window.print()
      document.title = title
    },
  })
  return {
    print: issue.mutate,
    isBusyWith: (refundId: string | undefined) => issue.isPending && issue.variables === refundId,
    failure: issue.isError ? readMessage(issue.error) : '',
    document: printed && code && <code.InvoiceDocument invoice={printed} />,
    /** After it, the page itself is printed. */
    clear: () => setPrinted(null),
  }
}

interface PrintInvoiceButtonProps {
  printer: InvoicePrinter
  /** Prints its credit note. Without it: the invoice of the order. */
  refund?: Pick<Refund, 'id' | 'amount'>
  size?: 'small' | 'normal'
}

export function PrintInvoiceButton({ printer, refund, size }: PrintInvoiceButtonProps) {
  const { hasTaxId } = useSettings()
  const title = invoiceTitle(refund ? 'credit_note' : 'invoice', hasTaxId).toLowerCase()
  return (
    <BusyButton
      variant="quiet"
      size={size}
      busy={printer.isBusyWith(refund?.id)}
      onClick={() => printer.print(refund?.id)}
    >
      Print {title}
      {refund && ` (${formatDollars(refund.amount)})`}
    </BusyButton>
  )
}

/** The documents of an order for its buyer. Renders nothing before it is paid. */
export function PrintInvoices({ order, orderKey }: { order: OrderDetails; orderKey: string }) {
  const printer = useInvoicePrinter(order.id, orderKey)
  if (order.status === 'unpaid' || order.status === 'cancelled') return null
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <PrintInvoiceButton printer={printer} />
        {order.refunds?.filter(hasCreditNote).map((refund) => (
          <PrintInvoiceButton key={refund.id} printer={printer} refund={refund} />
        ))}
      </div>
      {printer.failure && <Alert>{printer.failure}</Alert>}
      {printer.document}
    </>
  )
}
