import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import {
  changesProducts,
  type ImportKind,
  type ImportMode,
  importModeNames,
} from '../../../contract/imports.ts'
import type { FileEncoding, FilePreview } from '../../../contract/supplier-files.ts'
import { call, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button, selectClass } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { previewFile, suppliersQuery } from './suppliers.ts'

/** The supplier whose columns are stored, and what is done with its files. */
export interface SavedColumns {
  supplier: string
  mode: ImportMode
}

interface ColumnMappingProps {
  file: File
  kind: ImportKind
  /** Applies unless the admin enters a supplier with a stored mode here. */
  mode: ImportMode
  /** Empty: the admin enters it here. */
  supplier: string
  preview: FilePreview
  /** Gets null if the admin chooses another file. */
  onDone: (saved: SavedColumns | null) => void
}

/** Assigns the columns of a file to columns of the shop. They are stored for the next file of the supplier. */
export function ColumnMapping({ file, kind, mode, supplier, preview: first, onDone }: ColumnMappingProps) {
  const client = useQueryClient()
  const [preview, setPreview] = useState(first)
  const [readFor, setReadFor] = useState<SavedColumns>({ supplier, mode })
  const [name, setName] = useState(supplier)
  const [columns, setColumns] = useState(() => first.columns.map(({ ours }) => ours))

  const read = useMutation({
    mutationFn: (encoding: FileEncoding) => previewFile(file, { kind, ...readFor, encoding }),
    onSuccess: (read) => {
      setPreview(read)
      setColumns(read.columns.map(({ ours }) => ours))
    },
  })
  const save = useMutation({
    mutationFn: async () => {
      const typed = name.trim()
      const suppliers = await client.fetchQuery(suppliersQuery)
      const stored = suppliers.find((each) => each.name === typed)?.files.find((each) => each.kind === kind)
      if (stored && typed !== readFor.supplier) {
        // Otherwise the save would overwrite columns and a mode that the admin has not seen.
        const known = { supplier: typed, mode: stored.mode }
        const fresh = await previewFile(file, { kind, ...known })
        setReadFor(known)
        setPreview(fresh)
        setColumns(
          fresh.columns.map(({ ours, from }, place) => (from === 'saved' ? ours : (columns[place] ?? null))),
        )
        return [describeStored(kind, known)]
      }
      const own = preview.columns.flatMap(({ theirs }, place): [string, string | null][] =>
        theirs.trim() === '' ? [] : [[theirs, columns[place] ?? null]],
      )
      await call('saveSupplierFile', {
        params: { name: typed, kind },
        // Another file of the supplier may have other columns.
        body: {
          columns: { ...stored?.columns, ...Object.fromEntries(own) },
          encoding: preview.chosenEncoding,
          mode: readFor.mode,
        },
      })
      // The columns stay on the screen if the file has problems, and are the stored ones now.
      const saved = { supplier: typed, mode: readFor.mode }
      setReadFor(saved)
      await client.invalidateQueries(suppliersQuery)
      const { problems } = await previewFile(file, { kind, ...saved })
      if (problems.length === 0) onDone(saved)
      return problems
    },
  })
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate()
  }
  const problems = save.data ?? []
  const choose = (place: number) => (column: string | null) =>
    setColumns((all) => all.map((each, index) => (index === place ? column : each)))
  const items = preview.columns.map((column, place) => ({
    ...column,
    place,
    example: preview.rows.find((row) => row[place])?.[place] ?? '',
    select: (id: string) => (
      <ColumnSelect
        id={id}
        name={column.theirs}
        known={preview.known}
        value={columns[place] ?? null}
        onChange={choose(place)}
      />
    ),
  }))
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-6">
      <p className="font-semibold wrap-anywhere">{file.name}</p>
      <div className="grid w-full grid-cols-1 gap-4 md:grid-cols-2">
        <TextField
          label="Supplier"
          hint="The next file of this supplier is read in the same way. New products get this supplier."
          required
          maxLength={120}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label="Characters"
          hint="Choose another one if names look wrong below."
          value={preview.chosenEncoding}
          aria-disabled={read.isPending}
          onChange={({ target }) => !read.isPending && read.mutate(target.value as FileEncoding)}
        >
          {Object.entries(encodings).map(([encoding, text]) => (
            <option key={encoding} value={encoding}>
              {encoding === 'auto' ? `${text}: ${encodingNames[preview.encoding]}` : text}
            </option>
          ))}
        </SelectField>
      </div>
      {[read.error, save.error].map(
        (error) => error && <Alert key={error.message}>{readMessage(error)}</Alert>,
      )}
      {problems.map((problem) => (
        <Alert key={problem}>{problem}</Alert>
      ))}
      <ul className="flex w-full flex-col gap-3 md:hidden">
        {items.map(({ place, theirs, from, example, select }) => (
          <li key={place} className="rounded-card border border-line bg-surface p-4">
            <p className="font-semibold wrap-anywhere">{theirs || 'Without a name'}</p>
            <p className="mb-2 text-sm text-quiet wrap-anywhere">{example || 'No value'}</p>
            {select(`list-${place}`)}
            <Note from={from} />
          </li>
        ))}
      </ul>
      <div className="w-full overflow-x-auto max-md:hidden">
        <table className="border-collapse text-left">
          <caption className="sr-only">The first rows</caption>
          <thead>
            <tr className="border-b-2 border-ink">
              {items.map(({ place, theirs, from, select }) => (
                <th key={place} scope="col" className="min-w-44 px-2 py-3 align-top font-normal first:pl-0">
                  <span className="mb-1 block font-semibold wrap-anywhere">{theirs || 'Without a name'}</span>
                  {select(`table-${place}`)}
                  <Note from={from} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.rows.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the rows of a file have no other key
              <tr key={index} className="border-b border-line">
                {items.map(({ place }) => (
                  <td key={place} className="max-w-64 truncate px-2 py-2 first:pl-0">
                    {row[place]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap gap-3">
        <BusyButton type="submit" size="large" busy={save.isPending}>
          Save and check the file
        </BusyButton>
        <Button variant="quiet" size="large" onClick={() => onDone(null)}>
          Choose another file
        </Button>
      </div>
    </form>
  )
}

/** Asks to check the columns of a supplier that was named after the file was read. */
const describeStored = (kind: ImportKind, { supplier, mode }: SavedColumns): string =>
  [
    `${supplier} has stored columns, which are now chosen below.`,
    ...(changesProducts(kind) ? [`What to do with the file: “${importModeNames[mode]}”.`] : []),
    'Check the columns and save again.',
  ].join(' ')

/** Marks what the admin should look at. */
function Note({ from }: { from: FilePreview['columns'][number]['from'] }) {
  const text = from === 'guess' ? 'Guessed, please check' : from ? '' : 'New column'
  return text && <span className="mt-1 block text-sm font-semibold text-signal">{text}</span>
}

interface ColumnSelectProps {
  id: string
  name: string
  known: string[]
  value: string | null
  onChange: (column: string | null) => void
}

const ColumnSelect = ({ id, name, known, value, onChange }: ColumnSelectProps) => (
  <select
    id={id}
    aria-label={`Column of the shop for ${name || 'the column without a name'}`}
    value={value ?? ''}
    onChange={({ target }) => onChange(target.value || null)}
    className={`${selectClass} h-11`}
  >
    <option value="">Do not import</option>
    {known.map((column) => (
      <option key={column}>{column}</option>
    ))}
  </select>
)

const encodings: Record<FileEncoding, string> = {
  auto: 'Automatic',
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows, western Europe',
  'windows-1250': 'Windows, central Europe',
}
const encodingNames: Record<FilePreview['encoding'], string> = { ...encodings, 'utf-16': 'UTF-16' }
