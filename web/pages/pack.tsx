import { useEffect, useEffectEvent, useRef } from 'react'
import { carriers } from '../../contract/carriers.ts'
import { nameItem } from '../../contract/item-names.ts'
import { pluralize } from '../../contract/plurals.ts'
import { orderNumber } from '../features/orders/order-labels.tsx'
import {
  countLeft,
  isComplete,
  isWholeLine,
  type LineToPack,
  type Pack,
} from '../features/orders/pack-state.ts'
import { UndoShipping } from '../features/orders/undo-shipping.tsx'
import { usePacking } from '../features/orders/use-packing.ts'
import { ProductImage } from '../product-image.tsx'
import { useLocation } from '../router/router.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { ScanForm } from '../ui/scan-form.tsx'
import { ScanStatus } from '../ui/scan-status.tsx'
import { useSelectKeys } from '../ui/select-keys.ts'

export const meta = () => ({ title: 'Pack' })

/** Returns what to scan next. */
function toPrompt(pack: Pack | null): { label: string; hint: string } {
  if (!pack) return { label: 'Scan a packing slip', hint: 'Or type the number of the order.' }
  if (!isComplete(pack)) return { label: 'Scan an item', hint: 'By GTIN or part number.' }
  if (pack.slip.pickup)
    return {
      label: 'Ready for pickup',
      hint: 'Press Enter when the order is ready, or scan the slip again.',
    }
  return { label: 'Tracking number (optional)', hint: 'Press Enter to ship, or scan the slip again.' }
}

/** Packs an order by scanning its slip and its pieces. All scans go into one field, which gets the focus after each click. */
export default function PackOrders() {
  const field = useRef<HTMLInputElement>(null)
  const { message, pack, isBusy, shipped, lastLine, scan, ...packing } = usePacking()
  const { search } = useLocation()
  const asked = new URLSearchParams(search).get('order')
  const openAsked = useEffectEvent((id: string) => scan(id))
  useEffect(() => {
    if (asked) openAsked(asked)
  }, [asked])
  const focusField = () => field.current?.focus()
  const { isByKeyboard, keyProps } = useSelectKeys((event) => {
    // The field would get this Enter, which ships the order.
    event.preventDefault()
    focusField()
  })
  const next = pack?.lines.find((line) => !isWholeLine(line))
  const shown = lastLine && isWholeLine(lastLine) ? (next ?? lastLine) : (lastLine ?? next)
  return (
    <>
      <PageHead title="Pack">
        <LinkButton variant="quiet" href="/dashboard/packing-slips">
          Packing slips
        </LinkButton>
      </PageHead>
      <ScanForm field={field} {...toPrompt(pack)} isBusy={isBusy} className="max-w-narrow" onScan={scan} />
      <ScanStatus message={message} />
      {shipped && (
        <div className="mt-4">
          <UndoShipping
            key={shipped.shipment.id}
            shipment={shipped.shipment}
            onClick={focusField}
            onEnd={(isUndone) => packing.endUndo(shipped.number, isUndone)}
          >
            {`#${shipped.number} shipped`}
          </UndoShipping>
        </div>
      )}
      {pack && (
        <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <section aria-labelledby="order">
            <OrderHead pack={pack} />
            <ol className="divide-y divide-line border-y border-line">
              {pack.lines.map((line) => (
                <Line
                  key={line.number}
                  line={line}
                  isNext={line === next}
                  onTick={() => {
                    packing.tickByHand(line.number)
                    focusField()
                  }}
                />
              ))}
            </ol>
            <div className="mt-4 flex flex-wrap items-end gap-3">
              {!pack.slip.pickup && (
                <SelectField
                  label="Carrier (optional)"
                  className="w-52"
                  value={packing.carrier}
                  {...keyProps}
                  onChange={(event) => {
                    packing.setCarrier(event.target.value)
                    if (!isByKeyboard.current) focusField()
                  }}
                >
                  <option value="">None</option>
                  {carriers.map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
                </SelectField>
              )}
              <Button
                variant="quiet"
                className="min-h-12"
                onClick={() => {
                  packing.leave()
                  focusField()
                }}
              >
                Leave this order
              </Button>
            </div>
          </section>
          {shown && (
            <aside aria-label="Item" className="max-lg:hidden">
              <ProductImage src={shown.image} alt="" sizes="20rem" className="rounded-card bg-surface" />
              <p className="mt-2 font-semibold wrap-anywhere">{nameItem(shown)}</p>
            </aside>
          )}
        </div>
      )}
    </>
  )
}

function OrderHead({ pack }: { pack: Pack }) {
  const { slip } = pack
  const left = countLeft(pack)
  return (
    <>
      <h2 id="order" className="font-display text-2xl font-bold">
        Order #{orderNumber(slip._id)}
      </h2>
      <p className="mb-3 text-quiet wrap-anywhere">
        {[slip.customerName, ...(slip.addressLines?.slice(-2) ?? [])].filter(Boolean).join(', ')}
      </p>
      {slip.note && <p className="mb-3 border-l-4 border-wait pl-3 wrap-anywhere">{slip.note}</p>}
      <p className="mb-3 font-semibold tabular-nums">
        {left === 0 ? 'All pieces are packed.' : `${pluralize(left, 'piece')} to pack`}
      </p>
    </>
  )
}

/** A scan cannot find such an item, because each code belongs to a size or colour. */
const unspecifiedItem =
  'Ordered before this product had its sizes and colours. Check which one to send, and tick it without bar code.'

interface LineProps {
  line: LineToPack
  /** On a phone only the next line is shown. */
  isNext: boolean
  onTick: () => void
}

function Line({ line, isNext, onTick }: LineProps) {
  const isWhole = isWholeLine(line)
  return (
    <li
      className={`flex flex-wrap items-center gap-x-4 gap-y-2 py-3 ${isNext ? '' : 'max-md:hidden'} ${isWhole ? 'text-quiet' : ''}`}
    >
      {line.shelf ? (
        <span className="min-w-24 font-display text-4xl font-bold break-all md:text-2xl">{line.shelf}</span>
      ) : (
        <span className="min-w-24 text-sm text-quiet">No shelf</span>
      )}
      <span className="min-w-40 grow basis-0 wrap-anywhere">
        <strong>{nameItem(line)}</strong>
        <span className="block text-sm text-quiet">{line.sku ?? 'No part number'}</span>
        {line.unspecified && <span className="block text-sm">{unspecifiedItem}</span>}
      </span>
      <span className="inline-flex items-center gap-1.5 text-lg font-bold whitespace-nowrap tabular-nums">
        {isWhole && <CheckIcon className="size-5 text-good" />}
        {line.ticked} of {line.openPieces}
      </span>
      {!isWhole && (
        <Button
          variant="quiet"
          size="small"
          aria-label={`Tick 1 × ${nameItem(line)} without bar code`}
          onClick={onTick}
        >
          Without bar code
        </Button>
      )}
    </li>
  )
}
