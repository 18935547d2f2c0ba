import { formatDollars } from '../../../contract/money.ts'
import type { ShippingOption } from '../../../contract/shipping.ts'
import { RadioCard } from '../../ui/radio-card.tsx'

interface ShippingMethodsProps {
  options: ShippingOption[]
  chosen: string | undefined
  onChoose: (name: string) => void
}

/** The choice of a shipping option. */
export const ShippingMethods = ({ options, chosen, onChoose }: ShippingMethodsProps) => (
  <fieldset className="min-w-0">
    <legend className="mb-4 font-display text-2xl font-bold">Shipping method</legend>
    <div className="grid gap-3">
      {options.map(({ name, note, price }) => (
        <RadioCard
          key={name}
          name="shipping-method"
          checked={name === chosen}
          onChoose={() => onChoose(name)}
        >
          <span className="min-w-0 grow wrap-anywhere">
            <strong className="block">{name}</strong>
            {note && <span className="block text-sm text-quiet">{note}</span>}
          </span>
          <span className="tabular-nums">{price === 0 ? 'Free' : formatDollars(price)}</span>
        </RadioCard>
      ))}
    </div>
  </fieldset>
)
