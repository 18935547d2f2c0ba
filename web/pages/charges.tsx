import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDollars } from '../../contract/money.ts'
import { isIncompletePickup } from '../../contract/places.ts'
import type { ShippingRate } from '../../contract/shipping.ts'
import type { TaxRate } from '../../contract/tax.ts'
import { EditedList, findCurrent } from '../edited-list.tsx'
import { ChargePreview } from '../features/charges/charge-preview.tsx'
import {
  shippingRatesQuery,
  taxRatesQuery,
  useDeleteShippingRate,
  useDeleteTaxRate,
} from '../features/charges/queries.ts'
import { ShippingRateEditor } from '../features/charges/shipping-rate-editor.tsx'
import { TaxRateEditor } from '../features/charges/tax-rate-editor.tsx'
import type { Column } from '../ui/data-table.tsx'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => ({ title: 'Charges' })

type Edited =
  | { kind: 'shipping'; rate: ShippingRate | undefined }
  | { kind: 'tax'; rate: TaxRate | undefined }

/** The shipping and tax rates. An editor replaces the lists. */
export default function Charges() {
  const shipping = useQuery(shippingRatesQuery)
  const tax = useQuery(taxRatesQuery)
  const removeShippingRate = useDeleteShippingRate()
  const removeTaxRate = useDeleteTaxRate()
  const [edited, setEdited] = useState<Edited | null>(null)
  const close = () => setEdited(null)
  if (edited?.kind === 'shipping') {
    const positions = (shipping.data ?? []).map(({ position }) => position)
    return (
      <>
        <PageHead title={edited.rate ? 'Edit Shipping Rate' : 'Add Shipping Rate'} />
        <ShippingRateEditor
          rate={findCurrent(shipping.data, edited.rate)}
          nextPosition={Math.min(Math.max(0, ...positions) + 1, 1000)}
          onClose={close}
        />
      </>
    )
  }
  if (edited?.kind === 'tax') {
    return (
      <>
        <PageHead title={edited.rate ? 'Edit Tax Rate' : 'Add Tax Rate'} />
        <TaxRateEditor rate={findCurrent(tax.data, edited.rate)} onClose={close} />
      </>
    )
  }
  return (
    <>
      <PageHead title="Charges" note="Without rates, an order costs the sum of its items." />
      <EditedList
        title="Shipping"
        noun="shipping rate"
        list={shipping}
        columns={toShippingColumns((tax.data ?? []).map(({ place }) => place))}
        toName={toShippingName}
        empty="Orders are shipped for nothing. Add a rate for each place and weight on the price list of your carrier."
        deletion={deletion}
        onEdit={(rate) => setEdited({ kind: 'shipping', rate })}
        remove={removeShippingRate}
      />
      <EditedList
        title="Tax"
        noun="tax rate"
        list={tax}
        columns={taxColumns}
        toName={({ place, label }) => `${label}, ${place}`}
        empty="Orders have no tax. Add a rate for each place where you collect it."
        deletion={deletion}
        onEdit={(rate) => setEdited({ kind: 'tax', rate })}
        remove={removeTaxRate}
      />
      <ChargePreview />
    </>
  )
}

const deletion = 'Orders that were placed keep what they cost.'
const toPlaces = ({ places }: ShippingRate) => (places.length === 0 ? 'Everywhere' : places.join(', '))
const toShippingName = (rate: ShippingRate) => `${rate.name}, ${toPlaces(rate)}`
const toPrice = (dollars: number) => (dollars === 0 ? 'Free' : formatDollars(dollars))

const toShippingColumns = (taxPlaces: string[]): Column<ShippingRate>[] => [
  {
    head: 'Name',
    names: true,
    cell: ({ name, note, pickupPlace }) => (
      <span className="wrap-anywhere">
        {name}
        <span className="block text-sm font-normal text-quiet">
          {[note, pickupPlace && `Pickup in ${pickupPlace}`].filter(Boolean).join(' · ')}
        </span>
        {pickupPlace && isIncompletePickup(pickupPlace, taxPlaces) && (
          <span className="block text-sm font-semibold text-bad">
            Tax rates are for parts of this place. Add the region and the postal code of the pickup.
          </span>
        )}
      </span>
    ),
  },
  { head: 'Places', cell: toPlaces },
  {
    head: 'Weight',
    cell: ({ maxWeight }) => (maxWeight ? `Up to ${maxWeight.toLocaleString('en-US')} g` : 'Any'),
  },
  { head: 'Price', numeric: true, cell: ({ price }) => toPrice(price) },
  { head: 'Free from', numeric: true, cell: ({ freeFrom }) => (freeFrom ? formatDollars(freeFrom) : '–') },
]

const taxColumns: Column<TaxRate>[] = [
  { head: 'Label', names: true, cell: ({ label }) => <span className="wrap-anywhere">{label}</span> },
  { head: 'Place', cell: ({ place }) => place },
  { head: 'Rate', numeric: true, cell: ({ rate }) => `${rate}%` },
  { head: 'Prices', cell: ({ included }) => (included ? 'Include the tax' : 'Tax is added') },
  { head: 'Shipping', cell: ({ taxesShipping }) => (taxesShipping ? 'Taxed' : 'Not taxed') },
]
