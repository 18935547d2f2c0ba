import { formatDollars } from '../../../contract/money.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import type { Charged, useCharges } from './use-charges.ts'

interface ShippingMethodsProps {
  charged: Charged | null
  charges: Pick<ReturnType<typeof useCharges>, 'shippingRate' | 'chooseShipping'>
}

/** The choice of a shipping option. Renders nothing without options. */
export function ShippingMethods({ charged, charges }: ShippingMethodsProps) {
  // A process of the previous version knows no options.
  const { shippingOptions = [], shippingRate } = charged ?? {}
  if (shippingOptions.length === 0) return null
  // The choice of the buyer is shown before its price.
  const choice = charges.shippingRate
  const chosen = shippingOptions.some(({ name }) => name === choice) ? choice : shippingRate
  return (
    <fieldset className="min-w-0">
      <legend className="mb-4 font-display text-2xl font-bold">Shipping method</legend>
      <div className="grid gap-3">
        {shippingOptions.map(({ name, note, price }) => (
          <RadioCard
            key={name}
            name="shipping-method"
            checked={name === chosen}
            onChoose={() => charges.chooseShipping(name)}
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
}
