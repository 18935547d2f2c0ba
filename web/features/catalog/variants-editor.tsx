import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { nameChoice } from '../../../contract/item-names.ts'
import { formatPieces } from '../../../contract/pieces.ts'
import { toPlainDollars } from '../../../contract/typed-numbers.ts'
import { EditedVariants, type VariantList } from '../../../contract/variants.ts'
import { readFailure } from '../../change-failure.tsx'
import { invalidText, type ReportUnsaved, readBody, useDraft, useUnsavedPart } from '../../draft.ts'
import { moveRow } from '../../draft-rows.ts'
import { QueryError } from '../../query-error.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { SectionHead } from '../../ui/page-head.tsx'
import { SectionSpinner } from '../../ui/section-spinner.tsx'
import { useSaveVariants, variantsQuery } from './queries.ts'
import { AddDialog, PictureDialog, PriceDialog, RestockDialog } from './variant-dialogs.tsx'
import {
  addCombinations,
  changeRow,
  rebaseRows,
  splitErrors,
  toRow,
  toVariant,
  type VariantRow,
  withoutChanged,
} from './variant-rows.ts'
import { type RowActions, VariantsTable } from './variants-table.tsx'

interface VariantsEditorProps {
  product: Product
  report: ReportUnsaved
}

/** Edits the choices that a product offers: none, the usual sizes and colours, or its own. */
export function VariantsEditor({ product, report }: VariantsEditorProps) {
  const query = useQuery(variantsQuery(product._id))
  return (
    <section aria-labelledby="options" className="mt-12 border-t border-line pt-8">
      <SectionHead id="options" title="Options" />
      {query.data ? (
        <Editor product={product} loaded={query.data} report={report} />
      ) : query.isError ? (
        <QueryError title="The options could not be loaded" query={query} />
      ) : (
        <SectionSpinner />
      )}
    </section>
  )
}

const lowStockHint = 'The stock at which it must be ordered again. Blank: it is not watched.'

const optionLabels: Record<VariantList['options'], { label: string; hint: string }> = {
  none: { label: 'No options', hint: 'Nothing to choose, for example brake pads.' },
  standard: {
    label: 'Standard sizes and colours',
    hint: 'Customers choose one of the usual sizes and colours. All of them share one stock.',
  },
  variants: {
    label: 'Own sizes and colours',
    hint: 'Each size or colour has its own stock, part number and, if you like, price.',
  },
}

interface Draft {
  options: VariantList['options']
  rows: VariantRow[]
}

const toDraft = ({ options, variants }: VariantList): Draft => ({
  options,
  rows: variants.filter(({ removed }) => !removed).map(toRow),
})

/** Applies the changes from `base` to `next` to a draft. Returns null if they may be in conflict with it. */
function rebase(draft: Draft, base: Draft, next: Draft): Draft | null {
  if (base.options !== next.options) return null
  const rows = rebaseRows(draft.rows, base.rows, next.rows)
  return rows && { ...draft, rows }
}

/** Without own options only the first variant is sent, without a choice. */
export function toBody(productId: string, { options, rows }: Draft): EditedVariants {
  if (options === 'variants') return { options, variants: rows.map(toVariant) }
  const first = rows.find(({ id }) => id === productId)
  const { sku, gtin, weight, shelf = '', lowStock = null } = first ? toVariant(first) : {}
  const values = {
    ...(sku && { sku }),
    ...(gtin && { gtin }),
    ...(weight && { weight }),
    shelf,
    lowStock,
  }
  return { options, variants: [{ id: productId, ...values }] }
}

interface EditorProps extends VariantsEditorProps {
  loaded: { value: VariantList; etag: string }
}

type OpenDialog = { kind: 'add' | 'price' | 'restock' } | { kind: 'picture'; key: string }

const toLoaded = ({ value, etag }: EditorProps['loaded']) => ({ value: toDraft(value), version: etag })

function Editor({ product, loaded, report }: EditorProps) {
  const { mutateAsync } = useSaveVariants(product._id)
  const { draft, change, isDirty, isSaving, submit, attempt, formProps } = useDraft({
    loaded: useMemo(() => toLoaded(loaded), [loaded]),
    read: (edited) => readBody(EditedVariants, toBody(product._id, edited)),
    save: async (body, etag) => toLoaded(await mutateAsync({ etag, body })),
    savedText: 'Options Saved',
    // In a conflict, unsaved changes stay with the ETag of the list that they change, so that they cannot be saved.
    rebase,
    isSame: (one, other) =>
      JSON.stringify(toBody(product._id, one)) === JSON.stringify(toBody(product._id, other)),
    explain: (error) => readFailure(error, 'Reload the page'),
  })
  // Not part of the draft, because saving and loading replace it.
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const closeDialog = () => setDialog(null)
  const focusId = useRef('')

  const { rows } = draft
  const setRows = useCallback(
    (edit: (rows: VariantRow[]) => VariantRow[]) =>
      change((current) => ({ ...current, rows: edit(current.rows) })),
    [change],
  )
  const actions = useMemo<RowActions>(
    () => ({
      change(key, values) {
        setRows((all) => changeRow(all, key, values))
      },
      move(key, by) {
        focusId.current = `${by < 0 ? 'up' : 'down'}-${key}`
        setRows((all) => moveRow(all, key, by))
      },
      remove(key) {
        setRows((all) => {
          const index = all.findIndex((row) => row.key === key)
          focusId.current = `remove-${(all[index + 1] ?? all[index - 1])?.key ?? ''}`
          return all.filter((row) => row.key !== key)
        })
      },
      select: (key, isSelected) =>
        setSelection(
          (keys) => new Set(isSelected ? [...keys, key] : [...keys].filter((each) => each !== key)),
        ),
      openPicture: (key) => setDialog({ kind: 'picture', key }),
    }),
    [setRows],
  )
  // A moved or removed button loses the focus.
  useEffect(() => {
    if (focusId.current) document.getElementById(focusId.current)?.focus()
    focusId.current = ''
  })
  const refused = useMemo(() => attempt && splitErrors(attempt.draft.rows, attempt.errors), [attempt])
  const errors = useMemo(
    () => (attempt && refused ? withoutChanged(refused.byRow, attempt.draft.rows, rows) : {}),
    [attempt, refused, rows],
  )
  const wrongRows = Object.keys(refused?.byRow ?? {}).length
  useUnsavedPart(report, isDirty ? 'options' : '', submit)

  const selected = rows.filter(({ key }) => selection.has(key))
  const areAllSelected = rows.length > 0 && selected.length === rows.length
  const stock = useMemo(
    () => new Map(loaded.value.variants.map(({ id, quantity }) => [id, quantity])),
    [loaded],
  )
  /** The variant of a product without own options. */
  const only = rows.find(({ id }) => id === product._id)
  const removed = loaded.value.variants.filter(
    (each) => each.removed && !rows.some(({ id }) => id === each.id),
  )
  return (
    <>
      <form className="flex flex-col items-start gap-6" {...formProps}>
        <OptionsChoice
          value={draft.options}
          onChange={(options) => change((current) => ({ ...current, options }))}
        />
        {draft.options !== 'variants' && only && (
          <div className="flex flex-wrap gap-6">
            <TextField
              label="Shelf (optional)"
              hint="Where it is stored. Only staff see it, for example on packing slips."
              maxLength={20}
              className="w-60"
              error={errors[only.key]?.shelf}
              value={only.shelf}
              onChange={(event) => actions.change(only.key, { shelf: event.target.value })}
            />
            <TextField
              label="Low stock (optional)"
              hint={lowStockHint}
              inputMode="numeric"
              className="w-60"
              error={errors[only.key]?.lowStock}
              value={only.lowStock}
              onChange={(event) => actions.change(only.key, { lowStock: event.target.value })}
            />
          </div>
        )}
        {draft.options === 'variants' && (
          <>
            <div className="flex flex-wrap gap-2">
              <Button variant="ink" onClick={() => setDialog({ kind: 'add' })}>
                Add sizes and colours
              </Button>
              <Button
                variant="quiet"
                disabled={selected.length === 0}
                onClick={() => setDialog({ kind: 'price' })}
              >
                Set price
              </Button>
              <Button
                variant="quiet"
                disabled={selected.length === 0}
                onClick={() => setDialog({ kind: 'restock' })}
              >
                Restock
              </Button>
              <Button
                variant="quiet"
                disabled={rows.length === 0}
                onClick={() => setSelection(new Set(areAllSelected ? [] : rows.map(({ key }) => key)))}
              >
                {areAllSelected ? 'Select none' : 'Select all'}
              </Button>
            </div>
            {rows.length === 0 ? (
              <p className="text-quiet">No sizes or colours yet.</p>
            ) : (
              <>
                <p className="text-sm text-quiet">Low stock: {lowStockHint}</p>
                <VariantsTable
                  rows={rows}
                  selection={selection}
                  errors={errors}
                  stock={stock}
                  price={toPlainDollars(product.price)}
                  actions={actions}
                />
              </>
            )}
            {removed.map((variant) => (
              <p key={variant.id} className="flex flex-wrap items-center gap-3 text-sm">
                {nameChoice(variant) || 'Without size and colour'} was removed, but{' '}
                {formatPieces(variant.quantity)} came back from a cancelled order.
                <Button
                  variant="quiet"
                  size="small"
                  onClick={() => setRows((all) => [...all, toRow(variant)])}
                >
                  Add it again
                </Button>
              </p>
            ))}
          </>
        )}
        {attempt && (
          <Alert>
            {[
              attempt.failure || invalidText,
              ...(refused?.others ?? []),
              wrongRows > 0 && `Check the marked ${wrongRows === 1 ? 'row' : 'rows'}.`,
            ]
              .filter(Boolean)
              .join(' ')}
          </Alert>
        )}
        <BusyButton type="submit" size="large" busy={isSaving} aria-disabled={!isDirty}>
          Update options
        </BusyButton>
      </form>
      {dialog?.kind === 'add' && (
        <AddDialog
          onClose={closeDialog}
          onAdd={(sizes, colours) => {
            const result = addCombinations(rows, sizes, colours)
            if (!result) return false
            setRows(() => result)
            return true
          }}
        />
      )}
      {dialog?.kind === 'price' && (
        <PriceDialog
          count={selected.length}
          onClose={closeDialog}
          onSet={(price) =>
            setRows((all) => all.map((row) => (selection.has(row.key) ? { ...row, price } : row)))
          }
        />
      )}
      {dialog?.kind === 'restock' && (
        <RestockDialog product={product} rows={selected} stock={stock} onClose={closeDialog} />
      )}
      {dialog?.kind === 'picture' && (
        <PictureDialog
          row={rows.find(({ key }) => key === dialog.key)}
          onClose={closeDialog}
          onChange={(image) => actions.change(dialog.key, { image })}
        />
      )}
    </>
  )
}

interface OptionsChoiceProps {
  value: VariantList['options']
  onChange: (options: VariantList['options']) => void
}

function OptionsChoice({ value, onChange }: OptionsChoiceProps) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="sr-only">Options</legend>
      {Object.entries(optionLabels).map(([name, { label, hint }]) => (
        <label key={name} className="grid grid-cols-[auto_1fr] gap-x-3 py-1.5">
          <input
            type="radio"
            name="options"
            checked={name === value}
            onChange={() => onChange(name as VariantList['options'])}
            className="mt-0.5 size-5 accent-signal"
          />
          <span className="font-semibold">{label}</span>
          <span className="col-start-2 text-sm text-quiet">{hint}</span>
        </label>
      ))}
    </fieldset>
  )
}
