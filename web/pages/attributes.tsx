import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Attribute,
  EditedKindAttributes,
  EditedKindName,
  type KindAttributes,
  maxAttributes,
} from '../../contract/attributes.ts'
import { type Errors, type Reading, readBody, useDraft } from '../draft.ts'
import { addRow, type Keyed, type RowFieldsProps, toRowFields, withKeys } from '../draft-rows.ts'
import { EditedList } from '../edited-list.tsx'
import { EditorForm } from '../editor-form.tsx'
import { attributesQuery, kindsQuery, useSaveAttributes } from '../features/catalog/queries.ts'
import { ExportButton } from '../features/imports/export-button.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => ({ title: 'Attributes' })

/** The list names an item by its kind. */
type Item = KindAttributes & { id: string }

/** The attributes of each kind of part. An editor replaces the list. */
export default function Attributes() {
  const list = useQuery({ ...attributesQuery, select: toItems })
  const save = useSaveAttributes()
  const remove = useMutation({
    mutationFn: (kind: string) => {
      const revision = list.data?.find(({ id }) => id === kind)?.revision ?? ''
      return save.mutateAsync({ kind, body: { attributes: [], revision } })
    },
  })
  const [edited, setEdited] = useState<Item | 'new' | null>(null)
  if (edited) {
    const item = edited === 'new' ? undefined : edited
    return (
      <>
        <PageHead title={item ? `Attributes of ${item.kind}` : 'Add Kind'} />
        <Editor item={item} others={list.data ?? []} onClose={() => setEdited(null)} />
      </>
    )
  }
  return (
    <>
      <PageHead
        title="Attributes"
        note={`A kind of part has up to ${maxAttributes} attributes. Product pages show them, and lists have filters for them.`}
      />
      <EditedList
        title="Kinds with attributes"
        noun="kind"
        list={list}
        columns={columns}
        toName={({ kind }) => kind}
        empty="Add a kind, for example: Chains, with the pitch and the number of links."
        deletion="Its products keep their values, hidden until the kind has these attributes again."
        onEdit={(item) => setEdited(item ?? 'new')}
        remove={remove}
      />
    </>
  )
}

const toItems = (kinds: KindAttributes[]): Item[] => kinds.map((each) => ({ ...each, id: each.kind }))

const describe = ({ name, type, unit, choices = [] }: Attribute) =>
  `${name} (${type === 'choice' ? choices.join(', ') : 'number'}${unit ? `, ${unit}` : ''})`

const columns: Column<Item>[] = [
  { head: 'Kind of part', names: true, cell: ({ kind }) => <span className="wrap-anywhere">{kind}</span> },
  {
    head: 'Attributes',
    cell: ({ attributes }) => (
      <ul className="flex flex-col gap-1 wrap-anywhere">
        {attributes.map((attribute) => (
          <li key={attribute.name}>{describe(attribute)}</li>
        ))}
      </ul>
    ),
  },
]

/** An attribute as it is typed. */
interface Row {
  name: string
  type: Attribute['type']
  unit: string
  choices: string
}

interface Draft {
  kind: string
  attributes: Keyed<Row>[]
}

const emptyRow: Row = { name: '', type: 'number', unit: '', choices: '' }

const toDraft = (item: Item | undefined): Draft => ({
  kind: item?.kind ?? '',
  attributes: withKeys<Row>(
    item?.attributes.map(({ name, type, unit = '', choices = [] }) => ({
      name,
      type,
      unit,
      choices: choices.join(', '),
    })) ?? [emptyRow],
  ),
})

/** Returns the body that a draft means, or the errors of the draft. */
function readDraft({ kind, attributes }: Draft, item: Item | undefined, others: Item[]): Reading<Saved> {
  const read = readBody(EditedKindAttributes, {
    attributes: attributes.map(({ key: _key, choices, ...attribute }) => ({
      ...attribute,
      ...(attribute.type === 'choice' && {
        choices: choices.split(/[,\n]/).filter((choice) => choice.trim() !== ''),
      }),
    })),
    revision: item?.revision ?? '',
  })
  const named = readBody(EditedKindName, { kind })
  const errors: Errors = { ...named.errors }
  // All choices have one field.
  for (const [path, message] of Object.entries(read.errors ?? {})) {
    errors[path.replace(/(\.choices)\.\d+$/, '$1')] ??= message
  }
  if (!item && others.some((other) => other.kind === named.body?.kind)) {
    errors.kind = 'This kind has attributes already'
  }
  if (!read.body || !named.body || Object.keys(errors).length > 0) return { errors }
  return { body: { kind: named.body.kind, body: read.body } }
}

/** The kind of part, and what is saved for it. */
interface Saved {
  kind: string
  body: EditedKindAttributes
}

interface EditorProps {
  /** The kind to edit; undefined for a new one. */
  item: Item | undefined
  others: Item[]
  onClose: () => void
}

function Editor({ item, others, onClose }: EditorProps) {
  const kinds = useQuery(kindsQuery).data ?? []
  const save = useSaveAttributes()
  const editor = useDraft({
    loaded: { value: toDraft(item), version: item?.revision ?? '' },
    read: (draft) => readDraft(draft, item, others),
    save: async (saved) => {
      await save.mutateAsync(saved)
      onClose()
    },
    savedText: 'Attributes saved',
  })
  const { draft, change, errors } = editor
  const setRows = (edit: (rows: Keyed<Row>[]) => Keyed<Row>[]) =>
    change((all) => ({ ...all, attributes: edit(all.attributes) }))
  return (
    <EditorForm editor={editor} noun="attributes" onClose={onClose}>
      {!item && (
        <TextField
          label="Kind of part"
          hint="Same as its products. For example: Chains"
          list="kinds"
          autoComplete="off"
          className="w-full max-w-form"
          value={draft.kind}
          error={errors.kind}
          onChange={({ target }) => change((all) => ({ ...all, kind: target.value }))}
        />
      )}
      <datalist id="kinds">
        {kinds.map((kind) => (
          <option key={kind}>{kind}</option>
        ))}
      </datalist>
      <ul className="flex flex-col gap-4">
        {toRowFields('attributes', draft.attributes, errors, setRows).map((fields) => (
          <li key={fields.row.key} className="rounded-card border border-line bg-surface p-4">
            <AttributeFields {...fields} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="quiet"
          disabled={draft.attributes.length >= maxAttributes}
          onClick={() => setRows((rows) => addRow(rows, emptyRow))}
        >
          Add attribute
        </Button>
        {item && (
          <ExportButton route="exportProducts" query={{ kind: [item.kind] }}>
            Export the products
          </ExportButton>
        )}
      </div>
      {item && (
        <p className="max-w-text text-quiet">
          Products keep the values of an attribute that is removed or renamed, hidden until it is added again.
        </p>
      )}
    </EditorForm>
  )
}

function AttributeFields({ row, number, error, text, onChange, onMove, onRemove }: RowFieldsProps<Row>) {
  const name = row.name || `attribute ${number}`
  return (
    <>
      <div className="grid gap-4 md:grid-cols-[2fr_1fr_1fr]">
        <TextField label="Name" {...text('name')} />
        <SelectField
          label="Type"
          value={row.type}
          error={error('type')}
          onChange={({ target }) => onChange({ type: target.value === 'choice' ? 'choice' : 'number' })}
        >
          <option value="number">Number</option>
          <option value="choice">Choice</option>
        </SelectField>
        <TextField label="Unit" hint="Optional. For example: mm" {...text('unit')} />
        {row.type === 'choice' && (
          <TextField
            label="Choices"
            hint="Separated by commas, in the order of display"
            className="md:col-span-3"
            {...text('choices')}
          />
        )}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="quiet" size="small" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Move up ${name}`}
          aria-disabled={number === 1}
          onClick={() => onMove(-1)}
        >
          Move up
        </Button>
      </div>
    </>
  )
}
