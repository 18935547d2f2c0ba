import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { describeOrderedFit } from '../../../contract/fit-answer.ts'
import { toSlipCode } from '../../../contract/order-number.ts'
import type { Order, OrderLine } from '../../../contract/orders.ts'
import type { PackedLine, PackingSlips } from '../../../contract/packing.ts'
import { useSettings } from '../../router/router.tsx'
import { BarCode } from '../../ui/bar-code.tsx'
import { orderDate, orderNumber, withdrawnWarning } from './order-labels.tsx'

/** A document that replaces the page when it is printed, and is hidden on screens. */
export const Printed = ({ children }: { children: ReactNode }) =>
  createPortal(
    <div data-print="only" className="hidden text-base text-ink print:block">
      {children}
    </div>,
    document.body,
  )

/** The shelf of a line is missing until it is read. */
type SlipLine = OrderLine & { shelf?: PackedLine['shelf'] }

/** Returns the lines that are still to be shipped, or all shipped ones, with the number of their pieces. */
export const listPacked = <Line extends SlipLine>({ status }: Pick<Order, 'status'>, lines: Line[]) =>
  lines
    .map((line) => ({ ...line, pieces: status === 'shipped' ? line.shippedPieces : line.openPieces }))
    .filter(({ pieces }) => pieces > 0)

interface PackingSlipProps {
  order: Order
  lines: SlipLine[]
  /** Whether a withdrawal of items to ship is open. Missing until it is read. */
  isWithdrawn: boolean | undefined
  /** The return address. */
  sender?: PackingSlips['sender'] | undefined
}

/** Packing slip of the items that are still to be shipped, or of all shipped ones, without prices. */
export function PackingSlip({ order, lines, isWithdrawn, sender }: PackingSlipProps) {
  const { shop } = useSettings()
  const { addressLines = [order.customerAddress], note } = order
  const packed = listPacked(order, lines)
  const shipping = order.charges?.find(({ kind }) => kind === 'shipping')
  const hasShelves = packed.some(({ shelf }) => shelf !== undefined)
  const heads = [...(hasShelves ? ['Shelf'] : []), 'Part number', 'Product', 'Size', 'Colour']
  return (
    <article className="break-after-page last:break-after-auto">
      <header className="flex items-end justify-between gap-4 border-b-2 border-ink pb-3">
        <div>
          <h1 className="font-display text-3xl font-bold">Packing slip</h1>
          <span className="font-display text-xl font-bold wrap-anywhere">{sender?.name ?? shop.name}</span>
        </div>
        <div className="shrink-0 text-center text-sm tabular-nums">
          <BarCode text={toSlipCode(order._id)} />
          {toSlipCode(order._id)}
        </div>
      </header>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 py-6">
        <Part name="Order">
          <strong className="text-lg">#{orderNumber(order._id)}</strong>
        </Part>
        <Part name="Order date">{orderDate(order)}</Part>
        <Part name={order.pickup ? 'Picked up by' : 'Ship to'}>
          {[order.customerName, ...addressLines].filter(Boolean).join('\n')}
        </Part>
        {sender && sender.address.length > 0 && (
          <Part name="Return address">{[sender.name, ...sender.address].join('\n')}</Part>
        )}
        {order.customerPhone && <Part name="Phone">{order.customerPhone}</Part>}
        {shipping && <Part name="Shipping method">{shipping.label}</Part>}
        {note && <Part name="Delivery note">{note}</Part>}
      </dl>
      {!order.payment && <p className="mb-6 border-2 border-ink p-3 font-bold">Not paid yet. Do not ship.</p>}
      {isWithdrawn && <p className="mb-6 border-2 border-ink p-3 font-bold">{withdrawnWarning}</p>}
      {order.partlyShipped && <p className="mb-6">The other items of this order were shipped before.</p>}
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b-2 border-ink whitespace-nowrap">
            {heads.map((head) => (
              <th key={head} scope="col" className="py-2 pr-4">
                {head}
              </th>
            ))}
            <th scope="col" className="py-2 text-right">
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {packed.map(({ sku, name, size, colour, shelf, pieces, fit }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no id and never change
            <tr key={index} className="break-inside-avoid border-b border-edge align-top">
              {hasShelves && <td className="py-2 pr-4 font-bold whitespace-nowrap">{shelf ?? '–'}</td>}
              <td className="py-2 pr-4 break-all">{sku ?? '–'}</td>
              <td className="py-2 pr-4 wrap-anywhere">
                {name}
                <span className="block text-sm">{describeOrderedFit(fit).join(' · ')}</span>
              </td>
              <td className="py-2 pr-4">{size ?? '–'}</td>
              <td className="py-2 pr-4">{colour ?? '–'}</td>
              <td className="py-2 text-right text-lg font-bold tabular-nums">{pieces}</td>
            </tr>
          ))}
          {/* Browsers repeat a table footer on each page. */}
          <tr className="font-bold">
            <th scope="row" colSpan={heads.length} className="py-2">
              Pieces
            </th>
            <td className="py-2 text-right text-lg tabular-nums">
              {packed.reduce((sum, { pieces }) => sum + pieces, 0)}
            </td>
          </tr>
        </tbody>
      </table>
    </article>
  )
}

/** A name and its value in a printed document. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="wrap-anywhere whitespace-pre-line">{children}</dd>
    </div>
  )
}
