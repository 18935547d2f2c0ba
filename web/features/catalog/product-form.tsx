import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { categories, type EditableProduct, EditedProduct, NewProduct } from '../../../contract/catalog.ts'
import { type ProductColumnName, productColumns } from '../../../contract/product-columns.ts'
import {
  parseOptionalDollars,
  toOptionalWholeNumber,
  toPlainDollars,
} from '../../../contract/typed-numbers.ts'
import type { Versioned } from '../../api.ts'
import { ChangeFailure } from '../../change-failure.tsx'
import { type ReportUnsaved, useUnsavedPart } from '../../draft.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { orNothing, useCheckedForm } from '../../ui/form.ts'
import { showToast } from '../../ui/toasts.tsx'
import { PictureField } from './picture-field.tsx'
import { brandsQuery, kindsQuery, readChangedProduct } from './queries.ts'

const third = 'md:col-span-2'
const extras: { [Name in ProductColumnName]?: { hint: string; list?: string } } = {
  kind: { hint: 'For example: Brake pads (optional)', list: 'kinds' },
  brand: { hint: 'Optional', list: 'brands' },
  gtin: { hint: 'Number under the barcode (optional)' },
}
const isDetailColumn = (column: object) => 'isDetail' in column

/** Returns the text that an input shows for a value; blank for a number that is not valid. */
function toText(name: ProductColumnName, value: string | number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ''
  return name === 'price' && typeof value === 'number' ? toPlainDollars(value) : String(value)
}

/** The price of an edited product may have cents. */
const editSchema = z.extend(NewProduct, { price: EditedProduct.shape.price })

interface ProductFormProps {
  /** The product to edit. Without it the form adds products, and is empty again after each. */
  loaded?: Versioned<EditableProduct>
  /** Each variant of the product has its own part number and GTIN. */
  hasOwnVariants?: boolean
  submitLabel: string
  /** @param etag the ETag of the edited product */
  save: (values: NewProduct, etag: string) => Promise<void>
  report: ReportUnsaved
}

/**
 * Form for a new product, or for all fields of an existing one except its pictures and the stock, which may change while
 * the admin types. The input stays until the product is saved.
 */
export function ProductForm({ loaded, hasOwnVariants = false, submitLabel, save, report }: ProductFormProps) {
  const [uploading, setUploading] = useState(false)
  const base = useRef(loaded)
  const { form, field, failure, isSubmitting, submit, formProps } = useCheckedForm({
    schema: loaded ? editSchema : NewProduct,
    resetOnSuccess: !loaded,
    // The stock is not sent; the schema only needs a valid value. The price is read from its input, which shows cents.
    ...(loaded && { defaultValues: { ...loaded.value, price: undefined, quantity: 0 } }),
    async send(values) {
      try {
        // The pictures have an editor of their own.
        const image = base.current?.value.image ?? values.image
        await save({ ...values, image }, base.current?.etag ?? '')
      } catch (error) {
        const present = readChangedProduct(error)
        if (present) merge(present)
        throw error
      }
      if (!loaded) form.setFocus('name')
    },
  })
  const allColumns = productColumns.filter(
    (column) => !(loaded && ('isStock' in column || column.name === 'image')),
  )
  const columns = allColumns.filter((column) => !(hasOwnVariants && 'isOfVariant' in column))
  // As it is stored: without spaces and line breaks at its ends.
  const readValue = (name: ProductColumnName) => toText(name, form.getValues(name)).trim()
  const readSaved = (name: ProductColumnName) =>
    name === 'quantity' ? '' : toText(name, base.current?.value[name])

  /** Takes the fields that only the other admin changed, and marks those that both changed. */
  function merge(present: Versioned<EditableProduct>) {
    const known = base.current
    if (!known || known.etag === present.etag) return
    // Hidden fields too: the product is loaded before `hasOwnVariants`, which may show them.
    const changed = allColumns.flatMap(({ name }) => {
      if (name === 'quantity') return []
      const [before, now, mine] = [readSaved(name), toText(name, present.value[name]), readValue(name)]
      return before === now || mine === now ? [] : [{ name, now, mine, isMine: mine !== before }]
    })
    base.current = present
    for (const { name, now, mine, isMine } of changed) {
      // The input of a number or a price reads its value from text.
      if (!isMine) form.setValue(name, now, { shouldValidate: true })
      else form.setError(name, { message: `Now ${now || 'blank'} · Yours ${mine || 'blank'}` })
    }
  }
  /** Own sizes and colours have their own part numbers, so the input of the product is not saved any more. */
  function discardHidden() {
    const hidden = allColumns.filter((column) => !columns.includes(column))
    for (const { name, label } of hidden) {
      const typed = readValue(name)
      if (typed === readSaved(name)) continue
      if (typed) showToast('warning', `${label} ${typed} is not saved. Enter it in Options.`)
      form.setValue(name, readSaved(name))
      form.clearErrors(name)
    }
  }
  useEffect(() => {
    if (loaded) merge(loaded)
    discardHidden()
    findUnsaved()
    // oxlint-disable-next-line react/exhaustive-deps -- only after a load
  }, [loaded, hasOwnVariants])

  const [unsavedText, setUnsavedText] = useState('')
  const findUnsaved = () => {
    const unsaved = columns.filter(({ name }) => readValue(name) !== readSaved(name))
    setUnsavedText(unsaved.map(({ label }) => label.toLowerCase()).join(', '))
  }
  useEffect(() => form.subscribe({ formState: { values: true }, callback: findUnsaved }))
  useUnsavedPart(report, isSubmitting ? '' : unsavedText, submit)
  const image = useWatch({ control: form.control, name: 'image' })
  const number = (name: 'price' | 'quantity' | 'minimum') => ({
    // Not a number input: browsers drop the comma of 12,50, which makes it 1250.
    inputMode: 'numeric' as const,
    className: third,
    ...field(name, { setValueAs: toOptionalWholeNumber }),
  })
  return (
    <form {...formProps} className="grid max-w-wide gap-4 md:grid-cols-6 md:gap-x-6">
      <TextField label="Name" className="md:col-span-4" {...field('name')} />
      <SelectField label="Category" className={third} {...field('category', orNothing)}>
        <option value="">None</option>
        {categories.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </SelectField>
      {loaded ? (
        <TextField
          label="Price"
          hint="In dollars, such as 12.50"
          inputMode="decimal"
          className={third}
          defaultValue={toPlainDollars(loaded.value.price)}
          {...field('price', { setValueAs: parseOptionalDollars })}
        />
      ) : (
        <TextField label="Price" hint="In whole dollars" {...number('price')} />
      )}
      {!loaded && <TextField label="Quantity" hint="Pieces in stock" {...number('quantity')} />}
      <TextField label="Minimum" hint="Minimum order in pcs" {...number('minimum')} />
      <TextArea label="Description" rows={5} className="md:col-span-6" {...field('description')} />
      {!loaded && (
        <PictureField
          url={image}
          input={field('image')}
          onUploaded={(url) => form.setValue('image', url, { shouldDirty: true, shouldValidate: true })}
          onBusy={setUploading}
          className="md:col-span-6"
        />
      )}
      {columns.filter(isDetailColumn).map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          className="md:col-span-3"
          {...field(name, orNothing)}
          {...{ hint: 'Optional', ...extras[name] }}
        />
      ))}
      <Choices id="kinds" query={kindsQuery} />
      <Choices id="brands" query={brandsQuery} />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {failure !== undefined && <ChangeFailure error={failure} check="Check Manage Products" />}
        <BusyButton type="submit" size="large" busy={isSubmitting} disabled={uploading}>
          {submitLabel}
        </BusyButton>
      </div>
    </form>
  )
}

/** Suggests the existing names, so that one kind or brand is not entered under two names. */
function Choices({ id, query }: { id: string; query: typeof kindsQuery }) {
  const { data = [] } = useQuery(query)
  return (
    <datalist id={id}>
      {data.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </datalist>
  )
}
