import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Coupon } from '../../contract/coupons.ts'
import { formatMoment } from '../../contract/dates.ts'
import { formatDollars } from '../../contract/money.ts'
import { findCurrent } from '../edited-list.tsx'
import { CouponEditor } from '../features/charges/coupon-editor.tsx'
import { couponPageQuery } from '../features/charges/queries.ts'
import { ListView, useListParams } from '../list-view.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Discount Codes' })

/** The discount codes. The editor replaces the list. */
export default function Codes() {
  const params = useListParams()
  const { page, pageSize, q } = params.toQuery([])
  const list = useQuery(couponPageQuery({ page, pageSize, q }))
  const [edited, setEdited] = useState<Coupon | 'new' | null>(null)
  if (edited) {
    return (
      <>
        <PageHead title={edited === 'new' ? 'Add Code' : 'Edit Code'} />
        <CouponEditor
          coupon={edited === 'new' ? undefined : findCurrent(list.data?.rows, edited)}
          onClose={() => setEdited(null)}
        />
      </>
    )
  }
  const add = <Button onClick={() => setEdited('new')}>Add code</Button>
  const action = (coupon: Coupon) => (
    <Button variant="quiet" size="small" aria-label={`Edit ${coupon.code}`} onClick={() => setEdited(coupon)}>
      Edit
    </Button>
  )
  return (
    <>
      <PageHead title="Discount Codes" note="Buyers enter them at checkout, one for each order.">
        <div className="flex flex-wrap items-end gap-3">
          <SearchBox label="Search codes" value={params.q} onSearch={params.search} />
          {add}
        </div>
      </PageHead>
      <ListView
        caption="Discount codes"
        failure="The codes could not be loaded"
        list={list}
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={({ id }) => id}
        params={params}
        searched="code"
        empty={
          <EmptyState title="No codes yet" action={add}>
            A code takes a percentage, an amount or the shipping off an order.
          </EmptyState>
        }
      />
    </>
  )
}

function toDiscount({ kind, rate = 0, amount = 0 }: Coupon): string {
  if (kind === 'shipping') return 'Free shipping'
  return kind === 'percent' ? `${rate}%` : formatDollars(amount)
}

const toConditions = ({ brand, productKind, minGoods, oncePerBuyer }: Coupon): string =>
  [
    [brand, productKind].filter(Boolean).join(' '),
    minGoods !== undefined && `From ${formatDollars(minGoods)}`,
    oncePerBuyer && 'Once per buyer',
  ]
    .filter(Boolean)
    .join(' · ') || 'All orders'

function toPeriod({ startsAt, endsAt }: Coupon): string {
  if (endsAt && Date.parse(endsAt) <= Date.now()) return `Ended ${formatMoment(endsAt)}`
  const [from, to] = [startsAt && `from ${formatMoment(startsAt)}`, endsAt && `until ${formatMoment(endsAt)}`]
  const text = [from, to].filter(Boolean).join(' ')
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : 'Always'
}

const columns: Column<Coupon>[] = [
  { head: 'Code', names: true, cell: ({ code }) => <span className="wrap-anywhere">{code}</span> },
  { head: 'Discount', cell: toDiscount },
  { head: 'Applies to', cell: (coupon) => <span className="wrap-anywhere">{toConditions(coupon)}</span> },
  { head: 'Valid', cell: toPeriod },
  {
    head: 'Used',
    numeric: true,
    cell: ({ used, maxUses }) =>
      maxUses === undefined
        ? used.toLocaleString('en-US')
        : `${used.toLocaleString('en-US')} of ${maxUses.toLocaleString('en-US')}`,
  },
]
