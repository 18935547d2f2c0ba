import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { nameChoice } from '../../../contract/item-names.ts'
import { parseDollars, toWholeNumber } from '../../../contract/typed-numbers.ts'
import { maxVariants } from '../../../contract/variants.ts'
import { isClientError } from '../../api.ts'
import { readFailure } from '../../change-failure.tsx'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { PictureField } from './picture-field.tsx'
import { useRestock } from './queries.ts'
import { splitList, type VariantRow } from './variant-rows.ts'

interface FormDialogProps {
  title: string
  submitLabel: string
  busy?: boolean
  disabled?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

function FormDialog({ title, submitLabel, busy, disabled, onSubmit, onClose, children }: FormDialogProps) {
  const formId = useId()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <BusyButton type="submit" form={formId} busy={busy ?? false} disabled={disabled ?? false}>
            {submitLabel}
          </BusyButton>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        {children}
      </form>
    </Dialog>
  )
}

interface AddDialogProps {
  /** Returns false if there would be too many variants. */
  onAdd: (sizes: string[], colours: string[]) => boolean
  onClose: () => void
}

export function AddDialog({ onAdd, onClose }: AddDialogProps) {
  const [sizes, setSizes] = useState('')
  const [colours, setColours] = useState('')
  const [error, setError] = useState('')
  const submit = () => {
    const lists = [splitList(sizes), splitList(colours)] as const
    if (lists.every((list) => list.length === 0)) setError('Enter at least one size or colour')
    else if (onAdd(...lists)) onClose()
    else setError(`A product can have ${maxVariants} variants`)
  }
  return (
    <FormDialog title="Add sizes and colours" submitLabel="Add" onSubmit={submit} onClose={onClose}>
      <p className="text-quiet">Adds every combination that is not in the table yet.</p>
      <TextField
        label="Sizes"
        hint="Separated by commas, such as S, M, L, XL"
        value={sizes}
        error={error}
        onChange={(event) => setSizes(event.target.value)}
      />
      <TextField
        label="Colours"
        hint="Separated by commas, such as Black, Red"
        value={colours}
        onChange={(event) => setColours(event.target.value)}
      />
    </FormDialog>
  )
}

interface PriceDialogProps {
  count: number
  onSet: (price: string) => void
  onClose: () => void
}

export function PriceDialog({ count, onSet, onClose }: PriceDialogProps) {
  const [price, setPrice] = useState('')
  const [error, setError] = useState('')
  const submit = () => {
    if (price.trim() !== '' && typeof parseDollars(price) !== 'number') {
      return setError('Enter dollars with at most two decimals, such as 12.50')
    }
    onSet(price.trim())
    onClose()
  }
  return (
    <FormDialog title="Set price" submitLabel="Set price" onSubmit={submit} onClose={onClose}>
      <TextField
        label={`Price of ${count} selected ${count === 1 ? 'row' : 'rows'}`}
        hint="In dollars, such as 12.50. Leave empty to use the product price."
        inputMode="decimal"
        value={price}
        error={error}
        onChange={(event) => setPrice(event.target.value)}
      />
    </FormDialog>
  )
}

interface RestockDialogProps {
  product: Product
  rows: VariantRow[]
  stock: Map<string, number>
  onClose: () => void
}

/** Restocks saved variants one by one, because each is a stock movement of its own. */
export function RestockDialog({ product, rows, stock, onClose }: RestockDialogProps) {
  const restock = useRestock(product)
  const [pieces, setPieces] = useState('')
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const saved = rows.filter(({ id }) => id !== undefined && stock.has(id))
  const unsaved = rows.length - saved.length
  const [left, setLeft] = useState(saved)
  const isClosed = useRef(false)
  useEffect(
    () => () => {
      isClosed.current = true
    },
    [],
  )

  const submit = async () => {
    const delta = toWholeNumber(pieces)
    if (pieces.trim() === '' || !Number.isInteger(delta) || delta === 0) {
      return setError('Enter a whole number of pieces to add or, with a minus, to remove')
    }
    setBusy(true)
    for (const [index, { id = '', ...row }] of left.entries()) {
      const progress = `${index} of ${left.length} restocked`
      // Closing the dialog stops after the running row.
      if (isClosed.current) return showToast('warning', progress)
      try {
        await restock.mutateAsync({ delta, variant: { id, quantity: stock.get(id) ?? 0 } })
      } catch (failure) {
        const message = `${nameChoice(row)}: ${readFailure(failure, 'Check the stock')}`
        if (isClosed.current) return showToast('error', `${progress}. ${message}`)
        // The next attempt continues with this row, unless its pieces may be in the stock already.
        setLeft(left.slice(isClientError(failure) ? index : index + 1))
        setError(message)
        return setBusy(false)
      }
    }
    showToast('success', 'Restocked')
    // Another dialog may be open by now.
    if (!isClosed.current) onClose()
  }
  return (
    <FormDialog
      title="Restock"
      submitLabel="Restock"
      busy={isBusy}
      disabled={left.length === 0}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p className="text-quiet wrap-anywhere">{left.map(nameChoice).join(' · ')}</p>
      {unsaved > 0 && (
        <p>
          {unsaved === 1
            ? '1 of the selected rows is new. Save it before you restock it.'
            : `${unsaved} of the selected rows are new. Save them before you restock them.`}
        </p>
      )}
      {left.length > 0 && (
        <TextField
          label="Quantity for each"
          hint="A negative number removes pieces."
          value={pieces}
          error={error}
          onChange={(event) => setPieces(event.target.value)}
        />
      )}
      {left.length === 0 && error && <Alert>{error}</Alert>}
    </FormDialog>
  )
}

interface PictureDialogProps {
  row: VariantRow | undefined
  onChange: (image: string) => void
  onClose: () => void
}

export function PictureDialog({ row, onChange, onClose }: PictureDialogProps) {
  const [isUploading, setUploading] = useState(false)
  if (!row) return null
  return (
    <Dialog
      title={`Picture of ${nameChoice(row) || 'this row'}`}
      onClose={onClose}
      actions={
        <Button disabled={isUploading} onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="mb-4 text-quiet">
        {row.colour && `All sizes in ${row.colour} with the same picture get it. `}
        Leave empty to use the product picture.
      </p>
      <PictureField
        url={row.image}
        input={{ value: row.image, onChange: (event) => onChange(event.target.value) }}
        onUploaded={onChange}
        onBusy={setUploading}
      />
    </Dialog>
  )
}
