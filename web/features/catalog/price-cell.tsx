import { useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useId, useRef, useState } from 'react'
import { EditedProduct } from '../../../contract/catalog.ts'
import { formatDollars } from '../../../contract/money.ts'
import type { ListedProduct } from '../../../contract/product-changes.ts'
import { editableColumns } from '../../../contract/product-columns.ts'
import { parseOptionalDollars, toPlainDollars } from '../../../contract/typed-numbers.ts'
import { ApiError, readMessage } from '../../api.ts'
import { readBody } from '../../draft.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button, controlClass } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { editableProductQuery, readChangedProduct, useEditProduct } from './queries.ts'

const lookClass =
  'rounded-control underline decoration-edge decoration-dotted underline-offset-4 hover:text-signal'

/** The price of a product, which a click edits in place. The variants editor changes several prices. */
export function PriceCell({ product }: { product: ListedProduct }) {
  const [isEditing, setEditing] = useState(false)
  const isClosed = useRef(false)
  const price = formatDollars(product.price)
  if (product.deletedAt) return price
  if (product.from) {
    return (
      <a
        href={`/dashboard/edit-product/${product._id}`}
        aria-label={`${price} and more, edit the prices of ${product.name}`}
        className={lookClass}
      >
        {price}
      </a>
    )
  }
  if (isEditing) {
    return (
      <PriceForm
        product={product}
        onClose={() => {
          isClosed.current = true
          setEditing(false)
        }}
      />
    )
  }
  return (
    <button
      type="button"
      aria-label={`${price}, change the price of ${product.name}`}
      // The form had the focus.
      ref={(button) => {
        if (isClosed.current) button?.focus()
        isClosed.current = false
      }}
      onClick={() => setEditing(true)}
      className={`${lookClass} min-h-11 px-1 md:min-h-0`}
    >
      {price}
    </button>
  )
}

interface PriceFormProps {
  product: ListedProduct
  onClose: () => void
}

function PriceForm({ product: { _id: id, name, price }, onClose }: PriceFormProps) {
  const client = useQueryClient()
  const errorId = useId()
  const edit = useEditProduct(id)
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState('')
  /** The price that the admin has seen. Another one is not overwritten. */
  const seen = useRef(price)

  /** Saves the product as it is now with another price. Returns the message of an error. */
  async function save(text: string): Promise<string> {
    const { value: present, etag } = await client.fetchQuery(editableProductQuery(id))
    if (present.price !== seen.current) return refuse(present.price)
    const fields = Object.fromEntries(editableColumns.map(({ name: column }) => [column, present[column]]))
    const { body, errors } = readBody(EditedProduct, { ...fields, price: parseOptionalDollars(text) })
    if (errors) return Object.values(errors)[0] ?? ''
    if (body.price !== present.price) await edit.mutateAsync({ etag, body })
    return ''
  }

  function refuse(present: number): string {
    seen.current = present
    return `Someone else changed the price to ${formatDollars(present)}. Save again to replace it.`
  }

  function explain(failure: unknown): string {
    const changed = readChangedProduct(failure)
    if (changed) {
      return changed.value.price === seen.current
        ? 'Someone else changed this product. Save again.'
        : refuse(changed.value.price)
    }
    const [field] = failure instanceof ApiError ? Object.values(failure.fields) : []
    return field ?? readMessage(failure)
  }

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = new FormData(form).get('price')
    setSaving(true)
    const message = await save(typeof text === 'string' ? text : '').catch(explain)
    setSaving(false)
    setError(message)
    if (message) return
    showToast('success', 'Price saved')
    // Another form of the same price may be open by now.
    if (form.isConnected) onClose()
  }
  return (
    <form
      noValidate
      className="flex flex-wrap items-center gap-1.5 md:w-60 md:justify-end"
      onSubmit={(event) => void submit(event)}
    >
      <span className="w-22">
        <input
          name="price"
          aria-label={`Price of ${name}`}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={toPlainDollars(price)}
          readOnly={isSaving}
          aria-invalid={error ? true : undefined}
          aria-describedby={errorId}
          ref={selectOnce}
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
          className={`${controlClass} h-11 text-right pointer-fine:h-9`}
        />
      </span>
      <BusyButton type="submit" size="small" busy={isSaving}>
        Save
      </BusyButton>
      <Button variant="quiet" size="small" onClick={onClose}>
        Cancel
      </Button>
      <p
        id={errorId}
        aria-live="polite"
        className="basis-full text-sm font-semibold text-bad not-empty:mt-1 md:text-right"
      >
        {error}
      </p>
    </form>
  )
}

/** A stable function: React calls it once. */
const selectOnce = (input: HTMLInputElement | null) => input?.select()
