import { formatDollars } from '../../../contract/money.ts'
import type { ShippingOption } from '../../../contract/shipping.ts'

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
        <label
          key={name}
          className="flex min-h-11 gap-3 rounded-card border border-edge bg-surface p-4 hover:border-ink
            has-checked:border-ink has-checked:bg-shade has-focus-visible:outline-3 has-focus-visible:outline-offset-2
            has-focus-visible:outline-signal"
        >
          <input
            type="radio"
            name="shipping-method"
            checked={name === chosen}
            onChange={() => onChoose(name)}
            className="mt-0.5 size-5 shrink-0 accent-signal"
          />
          <span className="min-w-0 grow wrap-anywhere">
            <strong className="block">{name}</strong>
            {note && <span className="block text-sm text-quiet">{note}</span>}
          </span>
          <span className="tabular-nums">{price === 0 ? 'Free' : formatDollars(price)}</span>
        </label>
      ))}
    </div>
  </fieldset>
)
