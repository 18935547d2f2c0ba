import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toBikeSlug } from '../../../contract/bike-urls.ts'
import type { Product } from '../../../contract/catalog.ts'
import { type FitKind, fitKinds } from '../../../contract/fit-answer.ts'
import {
  defaultFitmentSource,
  type EditedFitment,
  EditedFitments,
  type Fitment,
  type FitmentList,
  maxEditedFitments,
} from '../../../contract/fitments.ts'
import { call } from '../../api.ts'
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
import { Button, LinkButton } from '../../ui/button.tsx'
import { CheckboxField, SelectField, TextField } from '../../ui/field.tsx'
import { SectionHead } from '../../ui/page-head.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'

/** The largest page of the call. */
const pageSize = 200

/** Reads the pages of a list that may be edited. A longer list has only its first page. */
async function readFitments(id: string, signal: AbortSignal): Promise<FitmentList> {
  const read = (page: number) => call('listFitments', { params: { id }, query: { page, pageSize }, signal })
  const first = await read(1)
  if (first.total > maxEditedFitments) return first
  const others = await Promise.all(
    Array.from({ length: Math.ceil(first.total / pageSize) - 1 }, (_, index) => read(index + 2)),
  )
  const isSame = others.every(({ revision }) => revision === first.revision)
  // Changed between two pages: an empty revision cannot be saved.
  return {
    ...first,
    revision: isSame ? first.revision : '',
    fitments: [first, ...others].flatMap(({ fitments }) => fitments),
  }
}

function useSaveFitments(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: EditedFitments) => {
      const saved = await call('saveFitments', { params: { id }, body })
      if (saved.total <= saved.fitments.length) client.setQueryData(['fitments', id], saved)
      else void client.invalidateQueries({ queryKey: ['fitments', id] })
    },
    // A lost response may have been a success.
    onError: () => void client.invalidateQueries({ queryKey: ['fitments', id] }),
  })
}

interface FitmentsEditorProps {
  product: Product
  report: ReportUnsaved
}

/** Edits whether a product is made for particular bikes, and the list of those. */
export function FitmentsEditor({ product: { _id: id }, report }: FitmentsEditorProps) {
  const query = useQuery({
    queryKey: ['fitments', id],
    queryFn: ({ signal }) => readFitments(id, signal),
    staleTime: 0,
    // A reload would replace unsaved changes.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <section aria-labelledby="fitments" className="mt-12 border-t border-line pt-8">
      <SectionHead id="fitments" title="Fitment" />
      {query.data && query.isFetchedAfterMount ? (
        query.data.total > maxEditedFitments ? (
          <LongList id={id} loaded={query.data} report={report} />
        ) : (
          <Editor id={id} loaded={query.data} report={report} />
        )
      ) : query.isError ? (
        <QueryError title="The fitments could not be loaded" query={query} />
      ) : (
        <SectionSpinner />
      )}
    </section>
  )
}

interface EditorProps {
  id: string
  loaded: FitmentList
  report: ReportUnsaved
}

/** Edits only whether the list is complete. */
function LongList({ id, loaded, report }: EditorProps) {
  const { fitKind, revision } = loaded
  const save = useSaveFitments(id)
  const { draft, change, isDirty, isSaving, submit, alert, formProps } = useDraft({
    loaded: { value: loaded.complete, version: revision },
    read: (complete) => readBody(EditedFitments, { fitKind, complete, revision }),
    save: (body, edited) => save.mutateAsync({ ...body, revision: edited }),
    savedText: 'Fitment Saved',
  })
  useUnsavedPart(report, isDirty ? 'fitments' : '', submit)
  return (
    <form className="flex flex-col items-start gap-6" {...formProps}>
      <p>
        This product has {loaded.total.toLocaleString('en-US')} fitments. To change more than{' '}
        {maxEditedFitments}, import a file.
      </p>
      <LinkButton variant="quiet" href="/dashboard/import-products?kind=fitments">
        Import fitments
      </LinkButton>
      <CompleteField complete={draft} onChange={(complete) => change(() => complete)} />
      {alert && <Alert>{alert}</Alert>}
      <BusyButton type="submit" size="large" busy={isSaving}>
        Save fitment
      </BusyButton>
    </form>
  )
}

interface CompleteFieldProps {
  complete: boolean
  onChange: (complete: boolean) => void
}

const CompleteField = ({ complete, onChange }: CompleteFieldProps) => (
  <div className="max-w-text">
    <CheckboxField
      label="The list of bikes is complete."
      checked={complete}
      onChange={({ target }) => onChange(target.checked)}
    />
    <p className="text-sm text-quiet">
      Select this only if the manufacturer lists every bike that the part fits. The shop then shows “Does not
      fit” for all other bikes.
    </p>
  </div>
)

/** A fitment as it is typed. */
interface Row {
  make: string
  model: string
  yearFrom: string
  yearTo: string
  version: string
  position: string
  pieces: string
  note: string
  source?: string | undefined
  confirmedOn?: string | undefined
}

const emptyRow: Row = {
  make: '',
  model: '',
  yearFrom: '',
  yearTo: '',
  version: '',
  position: '',
  pieces: '',
  note: '',
}

const toRow = (fitment: Fitment): Row => ({
  make: fitment.make,
  model: fitment.model,
  yearFrom: String(fitment.yearFrom),
  yearTo: String(fitment.yearTo),
  version: fitment.version ?? '',
  position: fitment.position ?? '',
  pieces: fitment.pieces === undefined ? '' : String(fitment.pieces),
  note: fitment.note ?? '',
  source: fitment.source,
  confirmedOn: fitment.confirmedOn,
})

const toDraft = ({ fitKind, complete, fitments }: FitmentList) => ({
  fitKind,
  complete,
  rows: withKeys(fitments.map(toRow)),
})

/** Text that is not a number becomes one that the contract rejects. */
const toNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

const toFitment = (row: Row): EditedFitment => ({
  make: row.make.trim() && toBikeSlug(row.make),
  model: row.model.trim() && toBikeSlug(row.model),
  yearFrom: toNumber(row.yearFrom),
  yearTo: toNumber(row.yearTo || row.yearFrom),
  ...(row.version.trim() && { version: row.version }),
  ...(row.position.trim() && { position: row.position }),
  ...(row.pieces.trim() && { pieces: toNumber(row.pieces) }),
  ...(row.note.trim() && { note: row.note }),
  ...(row.source && { source: row.source }),
  ...(row.confirmedOn && { confirmedOn: row.confirmedOn }),
})

const toEdited = ({ fitKind, complete, rows }: ReturnType<typeof toDraft>) => ({
  fitKind,
  complete: fitKind === 'vehicle' && complete,
  fitments: fitKind === 'vehicle' ? rows.map(toFitment) : [],
})

/** The stored list has an order of its own, and a source for each fitment. */
function toSaved(draft: ReturnType<typeof toDraft>): string {
  const { fitKind, complete, fitments } = toEdited(draft)
  const saved = fitments.map(({ source = defaultFitmentSource, ...fitment }) =>
    JSON.stringify({ ...fitment, source }),
  )
  return JSON.stringify([fitKind, complete, ...saved.toSorted()])
}

const fitKindLabels: Record<FitKind, string> = {
  vehicle: 'Made for particular bikes',
  universal: 'Universal part',
  gear: 'Gear: helmets, clothing, tools',
}

function Editor({ id, loaded, report }: EditorProps) {
  const save = useSaveFitments(id)
  const { draft, base, change, isDirty, isSaving, submit, errors, alert, formProps } = useDraft({
    loaded: { value: toDraft(loaded), version: loaded.revision },
    read: (edited) => readBody(EditedFitments, { ...toEdited(edited), revision: loaded.revision }),
    save: (body, revision) => save.mutateAsync({ ...body, revision }),
    savedText: 'Fitment Saved',
    isSame: (one, other) => toSaved(one) === toSaved(other),
  })
  const { fitKind, complete, rows } = draft
  const setRows = (edit: (rows: Keyed<Row>[]) => Keyed<Row>[]) =>
    change((all) => ({ ...all, rows: edit(all.rows) }))
  useUnsavedPart(report, isDirty ? nameChanges(['fitment', 'fitments'], base.rows, rows) : '', submit)
  const others = [errors['fitKind'], errors['complete'], errors['fitments']].filter(Boolean)
  return (
    <form className="flex flex-col items-start gap-6" {...formProps}>
      <SelectField
        label="Fit kind"
        className="w-full max-w-form"
        value={fitKind}
        onChange={({ target }) =>
          change((all) => ({ ...all, fitKind: fitKinds.find((kind) => kind === target.value) ?? 'vehicle' }))
        }
      >
        {fitKinds.map((kind) => (
          <option key={kind} value={kind}>
            {fitKindLabels[kind]}
          </option>
        ))}
      </SelectField>
      {fitKind === 'vehicle' ? (
        <>
          <CompleteField
            complete={complete}
            onChange={(value) => change((all) => ({ ...all, complete: value }))}
          />
          {rows.length > 0 && (
            <ul className="flex w-full max-w-wide flex-col gap-4">
              {toRowFields('fitments', rows, errors, setRows).map((props) => (
                <li key={props.row.key}>
                  <RowFields {...props} />
                </li>
              ))}
            </ul>
          )}
          <Button
            variant="quiet"
            disabled={rows.length >= maxEditedFitments}
            onClick={() => setRows((all) => addRow(all, emptyRow))}
          >
            Add a fitment
          </Button>
        </>
      ) : (
        rows.length > 0 && (
          <p className="text-quiet">
            {rows.length === 1 ? 'The fitment' : `The ${rows.length} fitments`} of this product will be
            removed.
          </p>
        )
      )}
      {alert && <Alert>{[alert, ...others].join(' ')}</Alert>}
      <BusyButton type="submit" size="large" busy={isSaving}>
        Save fitment
      </BusyButton>
    </form>
  )
}

const rowFields = [
  { name: 'make', label: 'Make', className: 'md:col-span-3' },
  { name: 'model', label: 'Model', className: 'md:col-span-3' },
  { name: 'yearFrom', label: 'First year', className: 'md:col-span-2', isNumber: true },
  { name: 'yearTo', label: 'Last year', className: 'md:col-span-2', isNumber: true },
  { name: 'version', label: 'Version', className: 'md:col-span-2' },
  { name: 'position', label: 'Position', className: 'md:col-span-3' },
  { name: 'pieces', label: 'Pieces per bike', className: 'md:col-span-2', isNumber: true },
  { name: 'note', label: 'Note', className: 'col-span-2 md:col-span-5' },
] as const

/** The makes, and the models of a make that the shop has. */
const bikesQuery = (make: string | undefined) =>
  queryOptions({
    queryKey: ['bikes', { make }],
    queryFn: ({ signal }) => call('listBikes', { query: { make }, signal }),
  })

const Suggestions = ({ id, names }: { id: string; names: string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name}>{name}</option>
    ))}
  </datalist>
)

function RowFields({ row, number, error, onChange, onRemove }: RowFieldsProps<Row>) {
  const { makes = [] } = useQuery(bikesQuery(undefined)).data ?? {}
  const make = makes.find((each) => each.make === toBikeSlug(row.make))?.make
  const { models = [] } = useQuery({ ...bikesQuery(make), enabled: make !== undefined }).data ?? {}
  return (
    <fieldset className="grid grid-cols-2 items-start gap-3 rounded-card border border-line p-4 md:grid-cols-12">
      <legend className="px-1 text-sm font-semibold">Fitment {number}</legend>
      <Suggestions id={`makes-${row.key}`} names={makes.map(({ name }) => name)} />
      <Suggestions id={`models-${row.key}`} names={models.map(({ name }) => name)} />
      {rowFields.map(({ name, label, className, ...field }) => (
        <TextField
          key={name}
          label={label}
          list={name === 'make' || name === 'model' ? `${name}s-${row.key}` : undefined}
          className={className}
          inputMode={'isNumber' in field ? 'numeric' : 'text'}
          value={row[name]}
          error={error(name)}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      ))}
      <Button
        variant="quiet"
        className="col-span-2 md:self-end"
        aria-label={`Remove fitment ${number}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </fieldset>
  )
}
