import { type ComponentProps, type ReactNode, useId } from 'react'
import type { UseFormRegister, UseFormReturn } from 'react-hook-form'
import { colours, sizes, swatches } from '../../../contract/choice.ts'
import { formatPieces } from '../../../contract/pieces.ts'
import { Alert } from '../../ui/alert.tsx'
import { Swatch } from '../../ui/icons.tsx'
import { Stepper } from '../../ui/stepper.tsx'
import type { PurchaseValues } from './place-order.ts'

interface QuantityFieldProps {
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
  return (
    <div className="flex flex-col gap-3">
      <div>
        <label htmlFor={id} className="mb-1 block text-sm font-semibold">
          Quantity
        </label>
        <Stepper
          named="quantity"
          onStep={count}
          id={id}
          min={minimum}
          max={stock}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-bounds${error ? ` ${id}-error` : ''}`}
          className="max-w-32 font-display text-xl"
          {...form.register('quantity', { valueAsNumber: true })}
        />
        <p id={`${id}-bounds`} className="mt-1 text-sm text-quiet">
          From {minimum} to {formatPieces(stock)}
        </p>
      </div>
      {error && <Alert id={`${id}-error`}>{error}</Alert>}
    </div>
  )
}

/** Radio groups for the usual sizes and colours. */
export function OptionsFields({ register }: { register: UseFormRegister<PurchaseValues> }) {
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup legend="Size" options={sizes} face={(size) => size} {...register('size')} />
      <RadioGroup
        legend="Colour"
        options={colours}
        face={(colour) => (
          <>
            <Swatch colour={swatches[colour]} />
            {colour}
          </>
        )}
        {...register('colour')}
      />
    </div>
  )
}

interface RadioGroupProps<Option extends string> extends ComponentProps<'input'> {
  legend: string
  options: readonly Option[]
  /** Renders the label of an option. */
  face: (option: Option) => ReactNode
}

/** Radio group whose options look like buttons. */
function RadioGroup<Option extends string>({ legend, options, face, ...input }: RadioGroupProps<Option>) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option}
            className="flex min-h-11 min-w-12 items-center justify-center gap-2 rounded-control border border-edge
              bg-surface px-3 font-semibold has-checked:border-ink has-checked:bg-ink has-checked:text-white
              has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-signal
              not-has-checked:has-disabled:border-line not-has-checked:has-disabled:bg-shade
              not-has-checked:has-disabled:text-quiet hover:border-ink"
          >
            <input {...input} type="radio" value={option} className="sr-only" />
            {face(option)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
