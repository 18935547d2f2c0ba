import { useState } from 'react'
import type { QuoteLine } from '../../../contract/cart.ts'
import { selectClass } from '../../ui/button.tsx'
import { type StoredBike, useGarage } from '../garage/stored-garage.ts'

interface LineBikeProps {
  /** Id of the control. */
  id: string
  line: Pick<QuoteLine, 'fitKind' | 'fit'>
  /** Name of the product, for the label. */
  name: string
  /** Whether the line is being changed. */
  isBusy: boolean
  onChange: (bike: number | null) => void
  /** The bikes of someone else. By default the bikes of the garage. */
  offered?: StoredBike[] | undefined
  /** Offers another bike, which is chosen elsewhere. */
  onOther?: (() => void) | undefined
}

/** Choice of the bike that a line is ordered for: one of the garage, or none. Nothing for gear, and without bikes. */
export function LineBike({
  id,
  line: { fitKind, fit },
  name,
  isBusy,
  onChange,
  offered,
  onOther,
}: LineBikeProps) {
  const garage = useGarage()
  const bikes = offered ?? garage.bikes
  const [chosen, setChosen] = useState<string | null>(null)
  const isKnown = !fit || bikes.some((bike) => bike.id === fit.bike.id)
  const choices = isKnown ? bikes : [fit.bike, ...bikes]
  if (!isBusy && chosen !== null) setChosen(null)
  if ((fitKind === 'gear' && !fit) || (choices.length === 0 && !onOther)) return null
  return (
    <label className="flex items-center gap-2 text-sm">
      Bike
      <select
        id={id}
        aria-label={`Bike for ${name}`}
        value={chosen ?? fit?.bike.id ?? ''}
        className={`${selectClass} h-11 min-w-0 max-w-80 text-base`}
        onChange={({ target: { value } }) => {
          if (value === 'other') return onOther?.()
          setChosen(value)
          onChange(value === '' ? null : Number(value))
        }}
      >
        <option value="">No bike</option>
        {choices.map((bike) => (
          <option key={bike.id} value={bike.id}>
            {bike.name}
          </option>
        ))}
        {onOther && <option value="other">Another bike …</option>}
      </select>
    </label>
  )
}
