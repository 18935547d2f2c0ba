import { useState } from 'react'
import { maxSlips, type PackingSlip as Slip } from '../../contract/packing.ts'
import { pluralize } from '../../contract/plurals.ts'
import { orderNumber } from '../features/orders/order-labels.tsx'
import { listPacked, PackingSlip, Printed } from '../features/orders/packing-slip.tsx'
import { toPickList } from '../features/orders/pick-list.ts'
import { PickTable } from '../features/orders/pick-table.tsx'
import { useSlipPrinter } from '../features/orders/print-slips.tsx'
import { navigate } from '../router/navigation.ts'
import { useLocation } from '../router/router.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { PageHead, SectionHead } from '../ui/page-head.tsx'

export const meta = () => ({ title: 'Packing slips' })

const counts = [1, 5, 10, 20, 50, maxSlips]

/** Prints the packing slips of the next orders to ship, or of those in the address, with a pick list. */
export default function PackingSlips() {
  const ids = (new URLSearchParams(useLocation().search).get('ids') ?? '').split(',').filter(Boolean)
  const [next, setNext] = useState(20)
  const { print, isBusy, failure, leftOut, printed } = useSlipPrinter({
    // After a reload the same slips can be printed again.
    onTaken: ({ slips }) => {
      if (slips.length > 0)
        navigate(`?ids=${slips.map(({ _id }) => _id).join(',')}`, { replace: true, keepScroll: true })
    },
  })
  const slips = printed?.slips ?? []
  const items = toPickList(slips)
  return (
    <>
      <PageHead title="Packing slips" note="One print with a pick list by shelf and a slip for each order.">
        <LinkButton variant="quiet" href="/dashboard/pack">
          Pack
        </LinkButton>
      </PageHead>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          print({ next })
        }}
      >
        <SelectField
          label="Orders"
          className="w-28"
          value={next}
          onChange={(event) => setNext(Number(event.target.value))}
        >
          {counts.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </SelectField>
        <BusyButton type="submit" busy={isBusy} className="min-h-12">
          Print next {next}
        </BusyButton>
        {ids.length > 0 && (
          <Button
            variant="quiet"
            aria-disabled={isBusy}
            className="min-h-12"
            onClick={() => print({ ids: ids.slice(0, maxSlips) })}
          >
            Print {ids.length === 1 ? 'this one' : `these ${ids.length}`} again
          </Button>
        )}
      </form>
      <p className="mt-3 text-sm text-quiet">
        The next ones are the oldest paid orders without a printed slip. Two people who print get different
        orders.
      </p>
      <div className="mt-6 flex flex-col gap-10">
        {leftOut.length > 0 ? <Alert>{describeLeftOut(leftOut)}</Alert> : failure && <Alert>{failure}</Alert>}
        {printed && slips.length === 0 && (
          <Notice title="No more slips to print">
            All orders to ship have a printed slip, except those with an open withdrawal. Returns lists them.
          </Notice>
        )}
        {slips.length > 0 && (
          <>
            <section aria-labelledby="pick-list">
              <SectionHead id="pick-list" title="Pick list" />
              <PickTable items={items} />
            </section>
            <section aria-labelledby="slips">
              <SectionHead id="slips" title={pluralize(slips.length, 'slip')} />
              <ul className="divide-y divide-line border-y border-line">
                {slips.map((slip) => (
                  <li key={slip._id} className="flex items-center justify-between gap-4 py-2">
                    <span className="min-w-0 wrap-anywhere">
                      <strong>#{orderNumber(slip._id)}</strong> {slip.customerName}
                      <span className="block text-sm text-quiet">{formatPieces(slip)}</span>
                    </span>
                    <LinkButton
                      variant="quiet"
                      size="small"
                      href={`/dashboard/pack?order=${slip._id}`}
                      aria-label={`Pack #${orderNumber(slip._id)}`}
                    >
                      Pack
                    </LinkButton>
                  </li>
                ))}
              </ul>
            </section>
          </>
        )}
      </div>
      {printed && slips.length > 0 && (
        <Printed>
          {slips.length > 1 && (
            <section className="break-after-page">
              <h1 className="mb-4 font-display text-3xl font-bold">Pick list, {slips.length} orders</h1>
              <PickTable items={items} />
            </section>
          )}
          {slips.map((slip) => (
            <PackingSlip
              key={slip._id}
              order={slip}
              lines={slip.lines}
              isWithdrawn={slip.withdrawn}
              sender={printed.sender}
            />
          ))}
        </Printed>
      )}
    </>
  )
}

const describeLeftOut = (ids: string[]): string =>
  `${ids.map((id) => `#${orderNumber(id)}`).join(', ')} ${ids.length === 1 ? 'was cancelled and is' : 'were cancelled and are'} left out.`

function formatPieces(slip: Slip): string {
  const count = listPacked(slip, slip.lines).reduce((sum, { pieces }) => sum + pieces, 0)
  return pluralize(count, 'piece')
}
