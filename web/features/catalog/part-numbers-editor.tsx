import { useQuery } from '@tanstack/react-query'
import type { Product } from '../../../contract/catalog.ts'
import { partNumberKinds } from '../../../contract/number-texts.ts'
import { EditedPartNumbers, maxPartNumbers, type PartNumbers } from '../../../contract/part-numbers.ts'
import { type ReportUnsaved, readBody, useDraft, useUnsavedPart } from '../../draft.ts'
import {
  addRow,
  type Keyed,
  nameChanges,
  type RowFieldsProps,
  toRowFields,
  withKeys,
} from '../../draft-rows.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SectionHead } from '../../ui/page-head.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { partNumbersQuery, useSavePartNumbers } from './queries.ts'

interface PartNumbersEditorProps {
  product: Product
  report: ReportUnsaved
}

/** Edits the numbers of other makers for a product, and the product that replaces it. */
export function PartNumbersEditor({ product: { _id: id }, report }: PartNumbersEditorProps) {
  const query = useQuery(partNumbersQuery(id))
  return (
    <section aria-labelledby="part-numbers" className="mt-12 border-t border-line pt-8">
      <SectionHead id="part-numbers" title="Part numbers" />
      {query.data && query.isFetchedAfterMount ? (
        <Editor id={id} loaded={query.data} report={report} />
      ) : query.isError ? (
        <QueryError title="The part numbers could not be loaded" query={query} />
      ) : (
        <SectionSpinner />
      )}
    </section>
  )
}

/** A number as it is typed. */
interface Row {
  kind: string
  maker: string
  number: string
}

const toDraft = ({ numbers }: PartNumbers, replacedBy: string) => ({
  numbers: withKeys<Row>(numbers.map(({ kind, maker = '', number }) => ({ kind, maker, number }))),
  replacedBy,
})

type Draft = ReturnType<typeof toDraft>

/** The stored numbers have an order of their own. */
const toSaved = ({ numbers, replacedBy }: Draft) =>
  JSON.stringify([
    replacedBy.trim(),
    ...numbers
      .map(({ kind, maker, number }) => JSON.stringify([kind, maker.trim(), number.trim()]))
      .toSorted(),
  ])

const kindLabels: Record<(typeof partNumberKinds)[number], string> = {
  oem: 'Original (OEM)',
  interchange: 'Equivalent to',
  supersedes: 'Replaces',
}

interface EditorProps {
  id: string
  loaded: PartNumbers
  report: ReportUnsaved
}

function Editor({ id, loaded, report }: EditorProps) {
  const loadedText = loaded.replacedBy?.sku ?? loaded.replacedBy?._id ?? ''
  const save = useSavePartNumbers(id)
  const { draft, base, change, isDirty, isSaving, submit, errors, alert, formProps } = useDraft({
    loaded: { value: toDraft(loaded, loadedText), version: loaded.revision },
    read: ({ numbers, replacedBy }, stored) =>
      readBody(EditedPartNumbers, {
        numbers,
        // The part number may belong to another product by now. The number of a deleted product finds none.
        replacedBy: replacedBy === stored.replacedBy ? loaded.replacedBy?._id : replacedBy,
        revision: loaded.revision,
      }),
    save: (body, revision) => save.mutateAsync({ ...body, revision }),
    savedText: 'Part Numbers Saved',
    isSame: (one, other) => toSaved(one) === toSaved(other),
  })
  const { numbers, replacedBy } = draft
  const setNumbers = (edit: (rows: Keyed<Row>[]) => Keyed<Row>[]) =>
    change((all) => ({ ...all, numbers: edit(all.numbers) }))
  const unsaved = isDirty ? nameChanges(['part number', 'part numbers'], base.numbers, numbers) : ''
  useUnsavedPart(report, unsaved, submit)
  return (
    <form className="flex flex-col items-start gap-6" {...formProps}>
      <TextField
        label="Replaced by"
        className="w-full max-w-form"
        hint={
          loaded.replacedBy && replacedBy === base.replacedBy
            ? loaded.replacedBy.name
            : 'Part number or id of a product. Blank: this product is not replaced.'
        }
        value={replacedBy}
        error={errors['replacedBy']}
        onChange={({ target }) => change((all) => ({ ...all, replacedBy: target.value }))}
      />
      {numbers.length === 0 ? (
        <p className="text-quiet">This product has no numbers of other makers.</p>
      ) : (
        <ul className="flex w-full max-w-wide flex-col gap-4">
          {toRowFields('numbers', numbers, errors, setNumbers).map((props) => (
            <li key={props.row.key}>
              <RowFields {...props} />
            </li>
          ))}
        </ul>
      )}
      {alert && <Alert>{[alert, errors['numbers']].filter(Boolean).join(' ')}</Alert>}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="quiet"
          disabled={numbers.length >= maxPartNumbers}
          onClick={() => setNumbers((all) => addRow(all, { kind: 'oem', maker: '', number: '' }))}
        >
          Add a number
        </Button>
        <BusyButton type="submit" busy={isSaving}>
          Save part numbers
        </BusyButton>
      </div>
    </form>
  )
}

const RowFields = ({ row, number, text, onRemove }: RowFieldsProps<Row>) => (
  <fieldset className="grid items-start gap-3 rounded-card border border-line p-4 md:grid-cols-[1fr_1fr_1fr_auto]">
    <legend className="px-1 text-sm font-semibold">Number {number}</legend>
    <SelectField label="Kind" {...text('kind')}>
      {partNumberKinds.map((kind) => (
        <option key={kind} value={kind}>
          {kindLabels[kind]}
        </option>
      ))}
    </SelectField>
    <TextField label="Maker" hint={row.kind === 'supersedes' && 'Optional'} {...text('maker')} />
    <TextField label="Number" {...text('number')} />
    <Button variant="quiet" className="md:mt-6" aria-label={`Remove number ${number}`} onClick={onRemove}>
      Remove
    </Button>
  </fieldset>
)
