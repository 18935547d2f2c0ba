import { useRef, useState } from 'react'
import type { Bike } from '../../../contract/bikes.ts'
import type { CartLine as Line } from '../../../contract/cart.ts'
import { useSettings } from '../../router/router.tsx'
import { BikePicker, type PickedModel } from '../garage/bike-picker.tsx'
import type { StoredBike } from '../garage/stored-garage.ts'
import { type Cart, type LineKey, toLineId, withChange, withLine } from './cart.ts'
import { CartLine } from './cart-line.tsx'

interface CallerLinesProps {
  cart: Cart
  /** The lines as they are now: the prices and stock of a change follow. */
  lines: Line[]
  /** The bikes that can be chosen at once. */
  bikes: StoredBike[]
  onChange: (edit: (lines: Line[]) => Line[]) => void
  onBike: (bike: StoredBike) => void
}

/** The lines that an admin orders for a caller, each with its stock, its bike and its fit. */
export function CallerLines({ cart, lines, bikes, onChange, onBike }: CallerLinesProps) {
  const { hasBikes } = useSettings()
  /** The line whose bike is being picked. */
  const [picking, setPicking] = useState<{ key: LineKey; start: PickedModel | undefined } | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const setBike = (key: LineKey, bike: number | undefined) =>
    onChange((lines) => lines.map((line) => (toLineId(line) === toLineId(key) ? { ...line, bike } : line)))
  return (
    <>
      <ul ref={list} tabIndex={-1} className="flex flex-col gap-4">
        {cart.lines.map((line) => {
          const { key, quantity, fit } = line
          const now = lines.find((each) => toLineId(each) === toLineId(key))?.quantity ?? 0
          return (
            <CartLine
              key={toLineId(key)}
              line={line}
              nextQuantity={now === quantity ? undefined : now}
              reducedTo={undefined}
              onChange={(next) => onChange((lines) => withChange(lines, key, { quantity: next }))}
              onRemove={() => {
                onChange((lines) => withChange(lines, key, { quantity: 0 }))
                // The button disappears with its line.
                list.current?.focus()
              }}
              onChoose={(choice) => {
                onChange((lines) =>
                  withLine(withChange(lines, key, { quantity: 0 }), {
                    ...key,
                    ...choice,
                    quantity,
                    bike: fit?.bike.id,
                  }),
                )
                list.current?.focus()
              }}
              onBike={(bike) => setBike(key, bike ?? undefined)}
              caller={{
                bikes,
                onPickBike: hasBikes
                  ? (start?: Bike) =>
                      setPicking({
                        key,
                        start: start && { make: start.make, model: start.model, year: start.year },
                      })
                  : undefined,
              }}
            />
          )
        })}
      </ul>
      {picking && (
        <BikePicker
          start={picking.start}
          onPicked={(bike) => {
            onBike(bike)
            setBike(picking.key, bike.id)
            setPicking(null)
          }}
          onClose={() => setPicking(null)}
        />
      )}
    </>
  )
}
