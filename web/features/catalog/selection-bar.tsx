import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useId, useRef, useState } from 'react'
import {
  AmountChange,
  PercentChange,
  type PriceChange,
  type ProductChange,
  type ProductChanges,
  priceEndings,
} from '../../../contract/product-changes.ts'
import { parseOptionalDollars } from '../../../contract/typed-numbers.ts'
import { ApiError, readMessage } from '../../api.ts'
import { type Reading, readBody } from '../../draft.ts'
import { toNumber } from '../../editor-form.tsx'
import { navigate } from '../../router/navigation.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { ProductTab } from './product-list-filters.tsx'
import { brandsQuery, kindsQuery, useChangeProducts } from './queries.ts'

interface SelectionBarProps {
  selection: ProductChanges['selection']
  /** The number of selected products. */
  count: number
  tab: ProductTab
  onClear: () => void
}

type TextColumn = 'brand' | 'kind' | 'supplier'
const textNames: Record<TextColumn, string> = { brand: 'Brand', kind: 'Kind', supplier: 'Supplier' }

/** The changes of selected products. Each opens a preview, which is not run yet. */
export function SelectionBar({ selection, count, tab, onClear }: SelectionBarProps) {
  const [opened, setOpened] = useState<'price' | TextColumn | null>(null)
  const change = useChangeProducts()
  // A double click comes before the next render.
  const isBusy = useRef(false)
  const preview = (wanted: ProductChange) => {
    if (isBusy.current) return
    isBusy.current = true
    change.mutate(
      { selection, change: wanted },
      {
        onSuccess: ({ id }) => navigate(`/dashboard/import-products?change=many&import=${id}`),
        onError: (error) => {
          // Other failures keep what is typed, for the next attempt.
          if (isOtherSelection(error)) setOpened(null)
          showToast('error', explain(error))
        },
        onSettled: () => {
          isBusy.current = false
        },
      },
    )
  }
  const act = (name: string, wanted: ProductChange, variant: 'quiet' | 'danger' = 'quiet') => (
    <Button size="small" variant={variant} aria-disabled={change.isPending} onClick={() => preview(wanted)}>
      {name}
    </Button>
  )
  const dialog = { busy: change.isPending, onPreview: preview, onClose: () => setOpened(null) }
  return (
    <section
      id="selected"
      aria-label="Selected products"
      className="sticky bottom-0 z-10 page-bar mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-surface
        py-3 low:static"
    >
      <p role="status" className="mr-2 font-semibold tabular-nums">
        {count.toLocaleString('en-US')} selected
      </p>
      {tab === 'deleted' ? (
        act('Restore', { deleted: false })
      ) : (
        <>
          <Button size="small" variant="quiet" onClick={() => setOpened('price')}>
            Price
          </Button>
          {tab !== 'hidden' && act('Hide', { hidden: true })}
          {act('Show', { hidden: false })}
          {(Object.keys(textNames) as TextColumn[]).map((column) => (
            <Button key={column} size="small" variant="quiet" onClick={() => setOpened(column)}>
              {textNames[column]}
            </Button>
          ))}
          {act('Delete', { deleted: true }, 'danger')}
        </>
      )}
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear
      </Button>
      {opened === 'price' && <PriceDialog {...dialog} />}
      {opened !== null && opened !== 'price' && <TextDialog column={opened} {...dialog} />}
    </section>
  )
}

const isOtherSelection = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'SELECTION_CHANGED'

function explain(error: unknown): string {
  if (!isOtherSelection(error)) return readMessage(error)
  const total = Number(error.details.total).toLocaleString('en-US')
  return `Now ${total} products match. Check the list and try again.`
}

function readText({ currentTarget }: SyntheticEvent<HTMLFormElement>, name: string): string {
  const value = new FormData(currentTarget).get(name)
  return typeof value === 'string' ? value.trim() : ''
}

interface ChangeDialogProps {
  busy: boolean
  onPreview: (change: ProductChange) => void
  onClose: () => void
}

function PriceDialog({ busy, onPreview, onClose }: ChangeDialogProps) {
  const formId = useId()
  const [by, setBy] = useState<'percent' | 'amount'>('percent')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = readText(event, 'number').replace('−', '-')
    const ending = readText(event, 'ending')
    const reading: Reading<PriceChange> =
      by === 'amount'
        ? readBody(AmountChange, { amount: parseOptionalDollars(text) })
        : readBody(PercentChange, {
            percent: toNumber(text),
            ...(ending && { ending: Number(ending) }),
          })
    if (reading.errors) setErrors(reading.errors)
    else onPreview({ price: reading.body })
  }
  return (
    <Dialog title="Change prices" onClose={onClose} actions={<PreviewButton form={formId} busy={busy} />}>
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <SelectField
          label="Change by"
          value={by}
          onChange={({ target }) => {
            setBy(target.value === 'amount' ? 'amount' : 'percent')
            setErrors({})
          }}
        >
          <option value="percent">Per cent</option>
          <option value="amount">Dollars</option>
        </SelectField>
        <TextField
          key={by}
          label={by === 'percent' ? 'Per cent' : 'Dollars'}
          name="number"
          inputMode="text"
          autoComplete="off"
          hint={by === 'percent' ? 'For example: -10 or 2.5' : 'For example: -2.50 or 5'}
          error={errors.percent ?? errors.amount}
          onChange={() => setErrors({})}
        />
        {by === 'percent' && (
          <SelectField label="Nearest price that ends in" name="ending" defaultValue="">
            <option value="">Any cent</option>
            {priceEndings.map((ending) => (
              <option key={ending} value={ending}>
                .{String(ending).padStart(2, '0')}
              </option>
            ))}
          </SelectField>
        )}
      </form>
    </Dialog>
  )
}

function TextDialog({ column, busy, onPreview, onClose }: ChangeDialogProps & { column: TextColumn }) {
  const formId = useId()
  const { data: brands = [] } = useQuery(brandsQuery)
  const { data: kinds = [] } = useQuery(kindsQuery)
  const known = { brand: brands, kind: kinds, supplier: [] }[column]
  const name = textNames[column]
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const value = readText(event, 'value')
    onPreview({ [column]: value } as ProductChange)
  }
  return (
    <Dialog
      title={`Change ${name.toLowerCase()}`}
      onClose={onClose}
      actions={<PreviewButton form={formId} busy={busy} />}
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={name}
          name="value"
          hint="Blank removes it"
          maxLength={column === 'supplier' ? 120 : 80}
          list={`${formId}-values`}
          autoComplete="off"
        />
        <datalist id={`${formId}-values`}>
          {known.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </datalist>
      </form>
    </Dialog>
  )
}

const PreviewButton = ({ form, busy }: { form: string; busy: boolean }) => (
  <BusyButton type="submit" form={form} busy={busy}>
    Preview
  </BusyButton>
)
