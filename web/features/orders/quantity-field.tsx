import { useId } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Alert } from '../../ui/alert.tsx'
import { controlClass } from '../../ui/control.ts'
import type { PurchaseValues } from './purchase-values.ts'

export interface QuantityFieldProps {
  form: UseFormReturn<PurchaseValues>
  minimum: number
  stock: number
}

/** Quantity input with buttons for one more and one fewer. */
export function QuantityField({ form, minimum, stock }: QuantityFieldProps) {
  const id = useId()
  const error = form.formState.errors.quantity?.message
  const count = (step: number) => {
    const now = form.getValues('quantity')
    const next = Number.isInteger(now) ? now + step : minimum
    form.setValue('quantity', Math.min(Math.max(next, minimum), stock), { shouldValidate: true })
  }
  const stepClass = 'w-12 border border-edge bg-surface font-display text-xl font-semibold hover:bg-shade'
  return (
    <div className="flex flex-col gap-3">
      <div>
        <label htmlFor={id} className="mb-1 block text-sm font-semibold">
          Quantity
        </label>
        <div className="flex h-12 max-w-56">
          <button
            type="button"
            aria-label="Decrease quantity"
            className={`${stepClass} rounded-l-control border-r-0`}
            onClick={() => count(-1)}
          >
            −
          </button>
          <input
            id={id}
            type="number"
            inputMode="numeric"
            min={minimum}
            max={stock}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-bounds${error ? ` ${id}-error` : ''}`}
            className={`${controlClass} no-spin relative min-w-0 focus:z-1 rounded-none text-center font-display text-xl font-semibold tabular-nums`}
            {...form.register('quantity', { valueAsNumber: true })}
          />
          <button
            type="button"
            aria-label="Increase quantity"
            className={`${stepClass} rounded-r-control border-l-0`}
            onClick={() => count(1)}
          >
            +
          </button>
        </div>
        <p id={`${id}-bounds`} className="mt-1 text-sm text-quiet">
          From {minimum} to {stock} pcs
        </p>
      </div>
      {error && <Alert id={`${id}-error`}>{error}</Alert>}
    </div>
  )
}
