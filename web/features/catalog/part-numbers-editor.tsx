import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { partNumberKinds } from '../../../contract/number-texts.ts'
import { EditedPartNumbers, maxPartNumbers, type PartNumbers } from '../../../contract/part-numbers.ts'
import { ApiError, readMessage } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SectionHead } from '../../ui/page-head.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { partNumbersQuery, useSavePartNumbers } from './queries.ts'

interface PartNumbersEditorProps {
  product: Product
  /** Called when unsaved changes begin and end. */
  onDirty: (isDirty: boolean) => void
}

/** Edits the numbers of other makers for a product, and the product that replaces it. */
export function PartNumbersEditor({ product: { _id: id }, onDirty }: PartNumbersEditorProps) {
  const query = useQuery(partNumbersQuery(id))
  return (
    <section aria-labelledby="part-numbers" className="mt-12 border-t border-line pt-8">
      <SectionHead id="part-numbers" title="Part numbers" />
      {query.data && !query.isRefetching ? (
        <Editor key={query.data.revision} id={id} loaded={query.data} onDirty={onDirty} />
      ) : query.isError ? (
        <QueryError title="The part numbers could not be loaded" query={query} />
      ) : (
        <FullSpinner />
      )}
    </section>
  )
}

/** A number as it is typed. */
interface Row {
  key: number
  kind: string
  maker: string
  number: string
}

const kindLabels: Record<(typeof partNumberKinds)[number], string> = {
  oem: 'Original (OEM)',
  interchange: 'Equivalent to',
  supersedes: 'Replaces',
}

interface EditorProps {
  id: string
  loaded: PartNumbers
  onDirty: (isDirty: boolean) => void
}

function Editor({ id, loaded, onDirty }: EditorProps) {
  const save = useSavePartNumbers(id)
  const [rows, setRows] = useState<Row[]>(() =>
    loaded.numbers.map(({ kind, maker = '', number }, key) => ({ key, kind, maker, number })),
  )
  const loadedText = loaded.replacedBy?.sku ?? loaded.replacedBy?._id ?? ''
  const [replacedBy, setReplacedBy] = useState(loadedText)
  const [errors, setErrors] = useState<Record<string, string>>({})

  const edit = (change: () => void) => {
    change()
    setErrors({})
    save.reset()
    onDirty(true)
  }
  const changeRow = (key: number, values: Partial<Row>) =>
    edit(() => setRows((all) => all.map((row) => (row.key === key ? { ...row, ...values } : row))))

  const submit = async () => {
    const { data, error } = EditedPartNumbers.safeParse({
      numbers: rows.map(({ kind, maker, number }) => ({ kind, maker, number })),
      // The part number of a deleted product finds no product.
      replacedBy: replacedBy === loadedText ? loaded.replacedBy?._id : replacedBy,
      revision: loaded.revision,
    })
    setErrors(Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])))
    if (!data) return
    try {
      await save.mutateAsync(data)
      showToast('success', 'Part Numbers Saved')
      onDirty(false)
    } catch (failure) {
      if (failure instanceof ApiError) setErrors(failure.fields)
    }
  }

  const invalid = Object.keys(errors).length > 0 ? 'Some values are not valid.' : ''
  const failure = save.isError ? readMessage(save.error) : invalid
  return (
    <form
      noValidate
      className="flex flex-col items-start gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Replaced by"
        className="w-full max-w-form"
        hint={
          loaded.replacedBy && replacedBy === loadedText
            ? loaded.replacedBy.name
            : 'Part number or id of a product. Blank: this product is not replaced.'
        }
        value={replacedBy}
        error={errors['replacedBy']}
        onChange={({ target }) => edit(() => setReplacedBy(target.value))}
      />
      {rows.length === 0 ? (
        <p className="text-quiet">This product has no numbers of other makers.</p>
      ) : (
        <ul className="flex w-full max-w-wide flex-col gap-4">
          {rows.map((row, index) => (
            <li key={row.key}>
              <RowFields
                row={row}
                number={index + 1}
                error={(name) => errors[`numbers.${index}.${name}`]}
                onChange={(values) => changeRow(row.key, values)}
                onRemove={() => edit(() => setRows((all) => all.filter(({ key }) => key !== row.key)))}
              />
            </li>
          ))}
        </ul>
      )}
      {failure && <Alert>{[failure, errors['numbers']].filter(Boolean).join(' ')}</Alert>}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="quiet"
          disabled={rows.length >= maxPartNumbers}
          onClick={() =>
            edit(() =>
              setRows((all) => [
                ...all,
                { key: Math.max(-1, ...all.map(({ key }) => key)) + 1, kind: 'oem', maker: '', number: '' },
              ]),
            )
          }
        >
          Add a number
        </Button>
        <Button type="submit" busy={save.isPending}>
          Save part numbers
        </Button>
      </div>
    </form>
  )
}

interface RowFieldsProps {
  row: Row
  /** Position in the list, from 1. */
  number: number
  error: (name: string) => string | undefined
  onChange: (values: Partial<Row>) => void
  onRemove: () => void
}

const RowFields = ({ row, number, error, onChange, onRemove }: RowFieldsProps) => (
  <fieldset className="grid items-start gap-3 rounded-card border border-line p-4 md:grid-cols-[1fr_1fr_1fr_auto]">
    <legend className="px-1 text-sm font-semibold">Number {number}</legend>
    <SelectField
      label="Kind"
      value={row.kind}
      error={error('kind')}
      onChange={({ target }) => onChange({ kind: target.value })}
    >
      {partNumberKinds.map((kind) => (
        <option key={kind} value={kind}>
          {kindLabels[kind]}
        </option>
      ))}
    </SelectField>
    <TextField
      label="Maker"
      hint={row.kind === 'supersedes' && 'Optional'}
      value={row.maker}
      error={error('maker')}
      onChange={({ target }) => onChange({ maker: target.value })}
    />
    <TextField
      label="Number"
      value={row.number}
      error={error('number')}
      onChange={({ target }) => onChange({ number: target.value })}
    />
    <Button variant="quiet" className="md:mt-6" aria-label={`Remove number ${number}`} onClick={onRemove}>
      Remove
    </Button>
  </fieldset>
)
