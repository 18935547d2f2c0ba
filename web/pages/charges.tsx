import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDollars } from '../../contract/money.ts'
import type { ShippingRate } from '../../contract/shipping.ts'
import { readMessage } from '../api.ts'
import { shippingRatesQuery, useDeleteShippingRate } from '../features/charges/queries.ts'
import { ShippingRateEditor } from '../features/charges/shipping-rate-editor.tsx'
import { QueryError } from '../query-error.tsx'
import { Button } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Charges' })

/** The shipping rates. The editor replaces the list. */
export default function Charges() {
  const list = useQuery(shippingRatesQuery)
  const [edited, setEdited] = useState<ShippingRate | 'new' | null>(null)
  const [deleted, setDeleted] = useState<ShippingRate | null>(null)
  const remove = useDeleteShippingRate()
  if (edited) {
    const positions = (list.data ?? []).map(({ position }) => position)
    return (
      <>
        <PageHead title={edited === 'new' ? 'Add Shipping Rate' : 'Edit Shipping Rate'} />
        <ShippingRateEditor
          rate={edited === 'new' ? undefined : edited}
          nextPosition={Math.min(Math.max(0, ...positions) + 1, 1000)}
          onClose={() => setEdited(null)}
        />
      </>
    )
  }
  const add = <Button onClick={() => setEdited('new')}>Add shipping rate</Button>
  const action = (rate: ShippingRate) => (
    <div className="flex flex-wrap justify-end gap-2 lg:flex-nowrap">
      <Button
        variant="quiet"
        size="small"
        aria-label={`Edit ${toName(rate)}`}
        onClick={() => setEdited(rate)}
      >
        Edit
      </Button>
      <Button
        variant="danger"
        size="small"
        aria-label={`Delete ${toName(rate)}`}
        onClick={() => {
          remove.reset()
          setDeleted(rate)
        }}
      >
        Delete
      </Button>
    </div>
  )
  const confirmDeletion = ({ id }: ShippingRate) =>
    remove.mutate(id, {
      onSuccess: () => {
        showToast('success', 'Shipping rate deleted')
        setDeleted(null)
      },
    })
  return (
    <>
      <PageHead title="Charges" note="Without shipping rates, an order costs the sum of its items.">
        {add}
      </PageHead>
      {list.isError && !list.data && (
        <QueryError title="The shipping rates could not be loaded" query={list} />
      )}
      {list.isPending && <FullSpinner />}
      {list.data?.length === 0 && (
        <EmptyState title="No shipping rates yet" action={add}>
          Orders are shipped for nothing. Add a rate for each place and weight on the price list of your
          carrier.
        </EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <DataTable
          caption="Shipping rates"
          columns={[...columns, { head: 'Action', actions: true, cell: action }]}
          rows={list.data}
          rowKey={({ id }) => id}
        />
      )}
      {deleted && (
        <ConfirmDialog
          title="Delete shipping rate"
          busy={remove.isPending}
          failure={remove.isError ? readMessage(remove.error) : ''}
          onYes={() => confirmDeletion(deleted)}
          onClose={() => setDeleted(null)}
        >
          {toName(deleted)}. Orders that were placed keep what they cost.
        </ConfirmDialog>
      )}
    </>
  )
}

const toPlaces = ({ places }: ShippingRate) => (places.length === 0 ? 'Everywhere' : places.join(', '))
const toName = (rate: ShippingRate) => `${rate.name}, ${toPlaces(rate)}`
const toPrice = (dollars: number) => (dollars === 0 ? 'Free' : formatDollars(dollars))

const columns: Column<ShippingRate>[] = [
  {
    head: 'Name',
    names: true,
    cell: ({ name, note, pickupPlace }) => (
      <span className="wrap-anywhere">
        {name}
        <span className="block text-sm font-normal text-quiet">
          {[note, pickupPlace && `Pickup in ${pickupPlace}`].filter(Boolean).join(' · ')}
        </span>
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
