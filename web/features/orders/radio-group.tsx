import type { ComponentProps, ReactNode } from 'react'

interface RadioGroupProps extends ComponentProps<'input'> {
  legend: string
  options: readonly string[]
  /** Renders the label of an option. */
  face: (option: string) => ReactNode
}

/** Radio group whose options look like buttons. */
export function RadioGroup({ legend, options, face, ...input }: RadioGroupProps) {
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
              hover:border-ink"
          >
            <input {...input} type="radio" value={option} className="sr-only" />
            {face(option)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
