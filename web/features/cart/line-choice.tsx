import { useRef, useState } from 'react'
import { colours, sizes } from '../../../contract/choice.ts'
import type { Choice } from '../../../contract/choice-urls.ts'
import { selectClass } from '../../ui/button.tsx'
import { useSelectKeys } from '../../ui/select-keys.ts'

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
  const isChanged = useRef(false)
  const finish = (next: Choice) => {
    if (!next.size || !next.colour) return
    // `onChoose` moves the focus.
    isChanged.current = false
    onChoose(next)
  }
  const { isByKeyboard, keyProps } = useSelectKeys(() => finish(choice))
  return (
    <div
      className="flex flex-wrap gap-3"
      // A choice by keyboard also ends when the focus leaves.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isChanged.current && !currentTarget.contains(relatedTarget)) finish(choice)
      }}
    >
      {fields.map(({ key, label, empty, values }) => (
        <label key={key} className="flex items-center gap-2 text-sm">
          {label}
          <select
            aria-label={`${label} of ${name}`}
            value={choice[key] ?? ''}
            className={`${selectClass} h-11 w-auto! min-w-0 text-base`}
            {...keyProps}
            onChange={({ target: { value } }) => {
              const next = { ...choice, [key]: value || undefined }
              setChoice(next)
              isChanged.current = true
              if (!isByKeyboard.current) finish(next)
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
