import { useEffect, useRef, useState } from 'react'
import type { SizeChart, Unit } from '../../../contract/gear.ts'
import { changeParameters, navigate } from '../../router/navigation.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { convertMeasure, explainSizes, findSizes } from './size-chart.ts'

interface SizeFinderProps {
  chart: SizeChart
  unit: Unit
  /** The sizes that can be chosen. */
  offered: string[]
}

const unitLabels: Record<Unit, string> = { cm: 'cm', in: 'inches' }

/** Names the size for a typed measure, and offers to choose it. */
export function SizeFinder({ chart, unit, offered }: SizeFinderProps) {
  const [column, setColumn] = useState(0)
  const [typed, setTyped] = useState('')
  const [typedUnit, setTypedUnit] = useState(unit)
  const select = useRef<HTMLSelectElement>(null)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The rider may have used the HTML of the server before this code was loaded.
    setColumn(Number(select.current?.value))
    setTyped(input.current?.value ?? '')
  }, [])
  const name = chart.columns[column] ?? ''
  const measure = Number(typed.trim().replace(',', '.'))
  const isMeasure = typed.trim() !== '' && measure > 0
  if (typedUnit !== unit) {
    setTypedUnit(unit)
    if (isMeasure) setTyped(`${convertMeasure(measure, typedUnit, unit)}`)
  }
  const found = isMeasure ? findSizes(chart, column, convertMeasure(measure, unit, chart.unit)) : null
  // The nearest size does not fit a measure beyond the chart.
  const suggested = found?.place === 'fits' || found?.place === 'between' ? found.sizes : []
  return (
    <div className="flex flex-col gap-3 pb-2">
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          ref={select}
          label="Measure"
          value={column}
          onChange={(event) => setColumn(Number(event.target.value))}
        >
          {chart.columns.map((each, index) => (
            <option key={each} value={index}>
              {each}
            </option>
          ))}
        </SelectField>
        <TextField
          ref={input}
          label={`${name}, ${unitLabels[unit]}`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={6}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <p role="status" className="min-h-6 font-semibold">
        {found && explainSizes(`${name} ${measure} ${unit}`, found)}
        {isMeasure && !found && `The chart has no sizes for ${name}.`}
        {typed.trim() !== '' && !isMeasure && 'Enter a number.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {suggested
          .filter((size) => offered.includes(size))
          .map((size) => (
            <Button key={size} variant="quiet" onClick={() => chooseSize(size)}>
              Choose {size}
            </Button>
          ))}
      </div>
    </div>
  )
}

const chooseSize = (size: string) =>
  navigate(`?${changeParameters(location.search, { size })}`, { replace: true, keepScroll: true })
