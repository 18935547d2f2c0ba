import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { formatMoment } from '../../../contract/dates.ts'
import { describeOrderedFit } from '../../../contract/fit-answer.ts'
import { formatDollars, toCents } from '../../../contract/money.ts'
import type { Order, OrderEvent } from '../../../contract/orders.ts'
import type { Refund } from '../../../contract/payments.ts'
import { useDialogOnDemand } from '../../dialog-on-demand.ts'
import { onDemand } from '../../on-demand.ts'
import { orderEventNames } from '../../order-events.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PartSpinner } from '../../ui/spinner.tsx'
import { IfAllowed, usePermissions } from '../staff/permissions.tsx'
import { formatAmounts } from './charge-rows.tsx'
import { Notes } from './notes.tsx'
import { GuestChip, PaymentChip, RefundChip, ShipmentChip } from './order-chips.tsx'
import { OrderPicture, orderDate, orderNumber, PayBy, refundReason } from './order-labels.tsx'
import { OrderLines, orderedProductPath } from './order-lines.tsx'
import { PackingSlip, Printed } from './packing-slip.tsx'
import { PaymentLink } from './payment-link.tsx'
import {
  hasCreditNote,
  type InvoicePrinter,
  PrintInvoiceButton,
  useInvoicePrinter,
} from './print-invoice.tsx'
import { useSlipPrinter } from './print-slips.tsx'
import { wholeOrderQuery } from './queries.ts'
import { SetBackButton, ShipButton, TrackingButton } from './ship-button.tsx'
import { Shipments } from './shipments.tsx'

/** Loads an order by its id, cancelled or not, and shows its details to an admin. */
export function OrderDetailsById({ id, onClose }: { id: string; onClose: () => void }) {
  const order = useQuery(wholeOrderQuery(id, true))
  if (order.data) return <OrderDetails order={order.data.order} forAdmin onClose={onClose} />
  return (
    <Dialog title={`Order #${orderNumber(id)}`} onClose={onClose}>
      {order.isError ? (
        <QueryError title="The order could not be loaded" query={order} />
      ) : (
        <PartSpinner className="my-8 size-12" />
      )}
    </Dialog>
  )
}

interface OrderDetailsProps {
  order: Order
  /** Adds the packing slip, the invoice and the mark of a guest. */
  forAdmin: boolean
  onClose: () => void
}

/** Details of an order with its lines, shipments, refunds and history. */
export function OrderDetails({ order, forAdmin, onClose }: OrderDetailsProps) {
  const whole = useQuery(wholeOrderQuery(order._id, forAdmin))
  const [isUnsaved, setUnsaved] = useState(false)
  // The state may have changed since the list was loaded, for example if a payment was processing.
  const now = whole.data?.order ?? order
  const staff = whole.data?.staff
  const email = staff?.email ?? order.customerEmail
  const printer = useInvoicePrinter(order._id)
  const slips = useSlipPrinter()
  const slip = slips.printed?.slips[0]
  // The slip was read for the print: the order here may be older until it is read again.
  const packed = slip && slips.printed && slips.printed.at > whole.dataUpdatedAt ? slip : now
  const packedLines = packed.lines?.map((line, index) => ({ ...line, shelf: slip?.lines[index]?.shelf }))
  const hasSeveralLines = order.lineCount > 1
  const items = [
    {
      name: 'Product',
      value:
        forAdmin && !hasSeveralLines ? (
          <a
            href={orderedProductPath({ ...order, name: order.productName })}
            className="text-signal underline"
          >
            {order.productName}
          </a>
        ) : (
          order.productName
        ),
    },
    { name: 'Part Number', value: forAdmin && !hasSeveralLines ? now.lines?.[0]?.sku : undefined },
    { name: 'Size', value: order.size },
    { name: 'Colour', value: order.colour },
    { name: 'Fit', value: hasSeveralLines ? '' : describeOrderedFit(now.lines?.[0]?.fit).join('\n') },
    { name: 'Order Date', value: orderDate(order) },
    { name: 'Payment Status', value: <PaymentChip order={now} /> },
    { name: 'Pay By', value: now.payBy && <PayBy order={now} /> },
    { name: 'Shipment Status', value: <ShipmentChip order={now} /> },
    { name: 'Unit Price', value: order.unitPrice && formatDollars(order.unitPrice) },
    { name: 'Quantity', value: order.quantity },
    ...(now.charges ?? []).map(({ kind, label, amount, included }) => ({
      name: included ? `Includes ${label}` : label,
      value: kind === 'shipping' && amount === 0 ? 'Free' : formatAmounts([amount])[0],
    })),
    { name: 'Total', value: formatDollars(order.amount) },
    { name: 'Transaction', value: now.transactionId },
    {
      name: 'Customer Name',
      value: (
        <>
          {order.customerName || '–'} {forAdmin && <GuestChip order={now} />}
        </>
      ),
    },
    { name: 'Phone', value: order.customerPhone || '–' },
    {
      name: 'Email',
      value: forAdmin ? <CustomerLink email={email} otherOrders={staff?.otherOrders ?? 0} /> : undefined,
    },
    { name: 'Shipping Address', value: now.addressLines?.join('\n') ?? order.customerAddress },
    { name: 'Delivery Note', value: now.note },
  ]
  return (
    <Dialog
      title={`Order #${orderNumber(order._id)}`}
      wide={hasSeveralLines}
      onClose={onClose}
      isUnsaved={isUnsaved}
      actions={
        forAdmin ? (
          <>
            <IfAllowed permission="refunds">
              <RefundButton order={now} />
            </IfAllowed>
            {now.payment && <PrintInvoiceButton printer={printer} />}
            <IfAllowed permission="ship">
              <BusyButton
                variant="quiet"
                busy={slips.isBusy}
                disabled={!now.lines || now.status === 'refunded' || now.status === 'cancelled'}
                onClick={() => {
                  flushSync(printer.clear)
                  slips.print({ ids: [order._id] })
                }}
              >
                Print packing slip
              </BusyButton>
              <ShipButton order={now} />
            </IfAllowed>
          </>
        ) : (
          <LinkButton variant="quiet" href={`/order/${order._id}`}>
            Order page
          </LinkButton>
        )
      }
    >
      {!hasSeveralLines && <OrderPicture order={order} sizes="14rem" className="mx-auto mb-4 max-w-56" />}
      <DescriptionList items={items} />
      {staff?.placedBy !== undefined && <PaymentLink order={now} email={email} placedBy={staff.placedBy} />}
      {hasSeveralLines && <OrderItems order={whole} isLinked={forAdmin} />}
      {(printer.failure || slips.failure) && <Alert>{printer.failure || slips.failure}</Alert>}
      {printer.document ??
        (forAdmin && packedLines && (
          <Printed>
            <PackingSlip
              order={packed}
              lines={packedLines}
              isWithdrawn={slip?.withdrawn}
              sender={slips.printed?.sender}
            />
          </Printed>
        ))}
      <div className="mt-6">
        <Shipments
          shipments={now.shipments ?? []}
          lines={now.lines ?? []}
          pickup={now.pickup ?? false}
          heading="h3"
          action={
            forAdmin
              ? (shipment) => (
                  <IfAllowed permission="ship">
                    <span className="flex flex-wrap gap-2">
                      {!now.pickup && <TrackingButton order={now} shipment={shipment} />}
                      <SetBackButton order={now} shipment={shipment} />
                    </span>
                  </IfAllowed>
                )
              : undefined
          }
        />
      </div>
      <OrderRefunds refunds={now.refunds ?? []} printer={forAdmin ? printer : null} />
      <OrderTimeline order={whole} forAdmin={forAdmin} />
      {staff && (
        <Notes notes={staff.notes} subject={{ orderId: order._id }} heading="h3" onUnsaved={setUnsaved} />
      )}
    </Dialog>
  )
}

/** The email of the buyer, as a link to the page with all orders of this email, or to their list. */
function CustomerLink({ email, otherOrders }: { email: string; otherOrders: number }) {
  const page = usePermissions().has('customers')
    ? `/dashboard/customer?${new URLSearchParams({ email })}`
    : `/dashboard/manage-orders?${new URLSearchParams({ q: email })}`
  return (
    <a href={page} className="break-all text-signal underline">
      {email}
      {otherOrders > 0 && <span className="block font-normal">Other orders ({otherOrders})</span>}
    </a>
  )
}

const refunding = onDemand(() => import('./refund-dialog.tsx'))

/** Opens the dialog that refunds amounts. Renders nothing if nothing can be refunded. */
function RefundButton({ order }: { order: Order }) {
  const { isLoading, code, open, close } = useDialogOnDemand(refunding.load, refunding.useCode())
  const refundedCents = (order.refunds ?? []).reduce(
    (sum, { kind, amount }) => sum + (kind === 'unmatched' ? 0 : toCents(amount)),
    0,
  )
  const isRefundable =
    refundedCents < toCents(order.amount) ||
    order.lines?.some((line) => line.openPieces + line.shippedPieces > line.returnedPieces)
  if (!order.payment || !order.lines || !isRefundable) return null
  return (
    <>
      <BusyButton variant="quiet" busy={isLoading} onClick={open}>
        Refund
      </BusyButton>
      {code && <code.RefundDialog order={order} onClose={close} />}
    </>
  )
}

/** The lines of an order that has several. */
function OrderItems({ order, isLinked }: { order: UseQueryResult<{ order: Order }>; isLinked: boolean }) {
  return (
    <section aria-label="Items" className="mt-6">
      <h3 className="mb-3 font-display text-xl font-bold">Items</h3>
      {order.isError && !order.data && <QueryError title="The items could not be loaded" query={order} />}
      {order.isPending && <PartSpinner className="size-8" />}
      {order.data?.order.lines && <OrderLines lines={order.data.order.lines} isLinked={isLinked} />}
    </section>
  )
}

/** The refunds of this order, and of payments that did not settle it. */
function OrderRefunds({ refunds, printer }: { refunds: Refund[]; printer: InvoicePrinter | null }) {
  if (refunds.length === 0) return null
  return (
    <section aria-label="Refunds" className="mt-6">
      <h3 className="mb-3 font-display text-xl font-bold">Refunds</h3>
      <ul className="divide-y divide-line border-y border-line">
        {refunds.map((refund) => (
          <li key={refund.id} className="flex flex-wrap items-center gap-4 py-2.5">
            <span className="mr-auto">
              <strong className="tabular-nums">{formatDollars(refund.amount)}</strong>
              <span className="block text-sm text-quiet">{refundReason(refund)}</span>
            </span>
            {printer && refund.kind !== 'unmatched' && hasCreditNote(refund) && (
              <PrintInvoiceButton printer={printer} refund={refund} size="small" />
            )}
            <RefundChip refund={refund} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns who caused an event, for staff: `, by Jane Doe (packer)`, or without a name `, by staff (packer)`. */
function nameActor({ by, name, staffRole }: Pick<OrderEvent, 'by' | 'name' | 'staffRole'>): string {
  if (by === 'shop') return ''
  if (by !== 'admin') return `, by the ${by}`
  if (name) return `, by ${name} (${staffRole ?? 'staff'})`
  return staffRole ? `, by staff (${staffRole})` : ', by staff'
}

const namesForBuyer: Record<OrderEvent['by'], string> = {
  customer: ', by you',
  guest: ', by you',
  admin: ', by the shop',
  shop: '',
}

/** History of an order, oldest event first, with the person or role that caused it; the shop itself has no name. */
function OrderTimeline({ order, forAdmin }: { order: UseQueryResult<{ order: Order }>; forAdmin: boolean }) {
  return (
    <section aria-label="History" className="mt-6">
      <h3 className="mb-3 font-display text-xl font-bold">History</h3>
      {order.isError && <QueryError title="The history could not be loaded" query={order} />}
      {order.isPending && <PartSpinner className="size-8" />}
      <ol className="border-l-2 border-line">
        {order.data?.order.history?.map(({ kind, at, email, reason, ...actor }) => (
          <li key={`${kind} ${at}`} className="relative pb-4 pl-5 last:pb-0">
            <span aria-hidden className="absolute top-1.5 -left-[7px] size-3 rounded-full bg-ink" />
            <span className="block font-semibold">{orderEventNames[kind]}</span>
            <span className="text-sm text-quiet tabular-nums">
              <time dateTime={at}>{formatMoment(at)}</time>
              {forAdmin ? nameActor(actor) : namesForBuyer[actor.by]}
              {email && <span className="block break-all">{email}</span>}
              {reason && <span className="block wrap-anywhere">“{reason}”</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
