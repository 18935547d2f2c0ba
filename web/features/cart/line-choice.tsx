import { useState } from 'react'
import { colours, sizes } from '../../../contract/choice.ts'
import type { Choice } from '../../../contract/choice-urls.ts'
import { selectClass } from '../../ui/button.tsx'

interface LineChoiceProps {
  /** The part of the choice that the line has. */
  chosen: Choice
  /** Name of the product, for the labels. */
  name: string
  /** Called when size and colour are chosen. */
  onChoose: (choice: Choice) => void
}

/** Chooses the size and the colour of a line that has come into the cart without them. */
export function LineChoice({ chosen, name, onChoose }: LineChoiceProps) {
  const [choice, setChoice] = useState<Choice>({ size: chosen.size, colour: chosen.colour })
  const fields = [
    { key: 'size', label: 'Size', empty: 'Choose a size', values: sizes },
    { key: 'colour', label: 'Colour', empty: 'Choose a colour', values: colours },
  ] as const
  return (
    <div className="flex flex-wrap gap-3">
      {fields.map(({ key, label, empty, values }) => (
        <label key={key} className="flex items-center gap-2 text-sm">
          {label}
          <select
            aria-label={`${label} of ${name}`}
            value={choice[key] ?? ''}
            className={`${selectClass} h-11 w-auto! min-w-0 text-base`}
            onChange={({ target: { value } }) => {
              const next = { ...choice, [key]: value || undefined }
              setChoice(next)
              if (next.size && next.colour) onChoose(next)
            }}
          >
            <option value="">{empty}</option>
            {values.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      ))}
    </div>
  )
}
