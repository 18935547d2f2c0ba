import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type EditableSizeChart,
  EditedSizeChart,
  maxChartColumns,
  maxChartRows,
  type Unit,
} from '../../../contract/gear.ts'
import { type Errors, type Reading, useDraft } from '../../draft.ts'
import { EditorForm, toFields } from '../../editor-form.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button, controlClass } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { focusNextIfLost } from '../../ui/lost-focus.ts'
import { kindsQuery, useSaveSizeChart } from './queries.ts'
import { formatRange, parseRange } from './size-chart.ts'

/** A chart as it is typed. */
interface Draft {
  brand: string
  kind: string
  unit: Unit
  source: string
  columns: string[]
  rows: { size: string; cells: string[] }[]
}

const emptyDraft: Draft = {
  brand: '',
  kind: '',
  unit: 'cm',
  source: '',
  columns: ['Chest'],
  rows: ['S', 'M', 'L', 'XL'].map((size) => ({ size, cells: [''] })),
}

const toDraft = ({ brand, kind, unit, source, columns, rows }: EditableSizeChart): Draft => ({
  brand,
  kind,
  unit,
  source,
  columns,
  rows: rows.map(({ size, values }) => ({
    size,
    cells: values.map((range) => (range ? formatRange(range, unit, unit) : '')),
  })),
})

/** Returns the chart that a draft means, or the errors of the draft. */
function readDraft({ rows, ...draft }: Draft): Reading<EditedSizeChart> {
  const errors: Errors = {}
  const ranges = rows.map(({ size, cells }, row) => ({
    size,
    values: cells.map((text, column) => {
      const range = parseRange(text)
      if (range === undefined)
        errors[`rows.${row}.values.${column}`] = 'Enter a number or a range, such as 96–100'
      return range ?? null
    }),
  }))
  const { data, error } = EditedSizeChart.safeParse({ ...draft, rows: ranges })
  for (const { path, message } of error?.issues ?? []) errors[path.slice(0, 4).join('.')] ??= message
  return data && Object.keys(errors).length === 0 ? { body: data } : { errors }
}

interface SizeChartEditorProps {
  /** The chart to edit; undefined for a new one. */
  chart: EditableSizeChart | undefined
  onClose: () => void
}

/** Edits a size chart as a table of sizes and measures. */
export function SizeChartEditor({ chart, onClose }: SizeChartEditorProps) {
  const [id] = useState(() => chart?.id ?? crypto.randomUUID())
  const save = useSaveSizeChart(id)
  const kinds = useQuery(kindsQuery).data ?? []
  const editor = useDraft({
    loaded: { value: chart ? toDraft(chart) : emptyDraft, version: chart?.revision ?? '' },
    read: readDraft,
    save: async (body, revision) => {
      await save.mutateAsync({ ...body, revision })
      onClose()
    },
    savedText: 'Size chart saved',
  })
  const { errors } = editor
  const { unit, columns, rows } = editor.draft
  const { set, text } = toFields(editor)
  const replace = <Item,>(items: Item[], index: number, item: Item) => items.with(index, item)
  const without = <Item,>(items: Item[], index: number) => items.toSpliced(index, 1)

  const cell = (label: string, path: string, value: string, onType: (text: string) => void) => (
    <input
      aria-label={label}
      aria-invalid={errors[path] ? true : undefined}
      title={errors[path]}
      value={value}
      autoComplete="off"
      onChange={(event) => onType(event.target.value)}
      className={`${controlClass} h-11 min-w-20 px-2`}
    />
  )
  const removeButton = (label: string, isDisabled: boolean, onRemove: () => void) => (
    <Button
      variant="quiet"
      size="small"
      aria-label={label}
      disabled={isDisabled}
      className="px-2"
      onClick={() => {
        focusNextIfLost()
        onRemove()
      }}
    >
      <CloseIcon />
    </Button>
  )
  const tableErrors = [
    ...new Set(
      Object.entries(errors).flatMap(([path, message]) => (/^(rows|columns)/.test(path) ? [message] : [])),
    ),
  ]

  return (
    // The errors of the table are shown below it, so the alert is only for a failed save.
    <EditorForm editor={{ ...editor, alert: editor.failure }} noun="size chart" onClose={onClose}>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Brand" hint="Same as its products" {...text('brand')} />
        <TextField label="Kind of part" hint="For example: Jackets" list="chart-kinds" {...text('kind')} />
        <datalist id="chart-kinds">
          {kinds.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </datalist>
        <SelectField
          label="Unit"
          value={unit}
          onChange={(event) => set({ unit: event.target.value === 'in' ? 'in' : 'cm' })}
        >
          <option value="cm">Centimetres</option>
          <option value="in">Inches</option>
        </SelectField>
        <TextField label="Source" hint="For example: Corvane, 2026" {...text('source')} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- makes a wide table scrollable with the keyboard */}
      <div role="region" aria-label="Sizes" tabIndex={0} className="overflow-x-auto">
        <table className="border-separate border-spacing-1 text-left">
          <caption className="sr-only">Sizes and measures</caption>
          <thead>
            <tr>
              <th scope="col" className="text-sm font-semibold">
                Size
              </th>
              {columns.map((column, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a measure is known by its place
                <th key={index} scope="col">
                  <div className="flex gap-1">
                    {cell(`Measure ${index + 1}`, `columns.${index}`, column, (name) =>
                      set({ columns: replace(columns, index, name) }),
                    )}
                    {removeButton(`Remove ${column || 'measure'}`, columns.length === 1, () =>
                      set({
                        columns: without(columns, index),
                        rows: rows.map((row) => ({ ...row, cells: without(row.cells, index) })),
                      }),
                    )}
                  </div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => {
              const setRow = (values: Partial<typeof row>) =>
                set({ rows: replace(rows, at, { ...row, ...values }) })
              return (
                // oxlint-disable-next-line react/no-array-index-key -- a size is known by its place
                <tr key={at}>
                  <th scope="row">
                    {cell(`Size ${at + 1}`, `rows.${at}.size`, row.size, (size) => setRow({ size }))}
                  </th>
                  {row.cells.map((range, index) => (
                    // oxlint-disable-next-line react/no-array-index-key -- as above
                    <td key={index}>
                      {cell(
                        `${columns[index] || `Measure ${index + 1}`} of ${row.size || `size ${at + 1}`}`,
                        `rows.${at}.values.${index}`,
                        range,
                        (typed) => setRow({ cells: replace(row.cells, index, typed) }),
                      )}
                    </td>
                  ))}
                  <td>
                    {removeButton(`Remove ${row.size || 'size'}`, rows.length === 1, () =>
                      set({ rows: without(rows, at) }),
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p className="text-sm text-quiet">
        A number or a range for each size, such as 57 or 96–100. Blank if unknown.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="quiet"
          disabled={rows.length >= maxChartRows}
          onClick={() => set({ rows: [...rows, { size: '', cells: columns.map(() => '') }] })}
        >
          Add size
        </Button>
        <Button
          variant="quiet"
          disabled={columns.length >= maxChartColumns}
          onClick={() =>
            set({
              columns: [...columns, ''],
              rows: rows.map((each) => ({ ...each, cells: [...each.cells, ''] })),
            })
          }
        >
          Add measure
        </Button>
      </div>
      {tableErrors.length > 0 && <Alert>{tableErrors.join('. ')}.</Alert>}
    </EditorForm>
  )
}
