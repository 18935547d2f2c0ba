import type { ReactNode } from 'react'
import { toTrackingUrl } from '../../../contract/carriers.ts'
import { formatDate } from '../../../contract/dates.ts'
import { nameItem } from '../../../contract/item-names.ts'
import type { OrderLine } from '../../../contract/orders.ts'
import type { Shipment } from '../../../contract/shipments.ts'

interface ShipmentsProps {
  shipments: Shipment[]
  /** The lines of the order. */
  lines: OrderLine[]
  /** Whether the buyer collects the order. */
  pickup: boolean
  heading: 'h2' | 'h3'
  /** Renders an action for a shipment. */
  action?: (shipment: Shipment) => ReactNode
}

/** The shipments of an order with their items and the tracking pages of their parcels. Renders nothing without any. */
export function Shipments({ shipments, lines, pickup, heading: Heading, action }: ShipmentsProps) {
  if (shipments.length === 0) return null
  const title = pickup ? 'Pickup' : 'Shipments'
  return (
    <section aria-label={title}>
      <Heading className="mb-3 font-display text-xl font-bold">{title}</Heading>
      <ul className="divide-y divide-line border-y border-line">
        {shipments.map((shipment) => (
          <li key={shipment.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 wrap-anywhere">
              <p className="font-semibold">
                {pickup ? 'Ready' : 'Shipped'} on {formatDate(shipment.shippedAt)}
                {shipment.carrier && ` with ${shipment.carrier}`}
              </p>
              <ul className="text-sm text-quiet">
                {shipment.lines.map(({ line, pieces }) => (
                  <li key={line}>{describeItem(pieces, lines[line - 1])}</li>
                ))}
              </ul>
              <ul>
                {shipment.trackingNumbers.map((number) => (
                  <li key={number} className="mt-1 tabular-nums">
                    <Parcel carrier={shipment.carrier} number={number} />
                  </li>
                ))}
              </ul>
            </div>
            {action?.(shipment)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const describeItem = (pieces: number, line: OrderLine | undefined): string =>
  `${pieces} × ${line ? nameItem(line) : ''}`

/** The number of a parcel, which links to the tracking page of its carrier if that is known. */
function Parcel({ carrier, number }: { carrier: string | undefined; number: string }) {
  const url = toTrackingUrl(carrier, number)
  if (url === null) return <>Tracking number: {number}</>
  return (
    <a href={url} target="_blank" rel="noreferrer" className="font-semibold text-signal underline">
      Track parcel {number}
    </a>
  )
}
