import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { categories, EditedProduct, NewProduct, type Product } from '../../../contract/catalog.ts'
import { parseDollars, toPlainDollars } from '../../../contract/money.ts'
import { detailColumns, type ProductColumnName } from '../../../contract/product-columns.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { orNothing, useCheckedForm } from '../../ui/form.ts'
import { ChangeFailure } from './loaded-product.tsx'
import { PictureField } from './picture-field.tsx'
import { kindsQuery } from './queries.ts'

const third = 'md:col-span-2'
const extras: { [Name in ProductColumnName]?: { hint: string; list?: string } } = {
  kind: { hint: 'For example, Brake pads (optional)', list: 'kinds' },
  gtin: { hint: 'Number under the barcode (optional)' },
}
/** The price of an edited product may have cents. */
const editSchema = z.extend(NewProduct, { price: EditedProduct.shape.price })

interface ProductFormProps {
  /** The product to edit. Without it the form adds products, and is empty again after each. */
  product?: Product
  submitLabel: string
  save: (values: NewProduct) => Promise<void>
}

/**
 * Form for a new product, or for all fields of an existing one except the stock, which may change while the admin
 * types. The input stays until the product is saved.
 */
export function ProductForm({ product, submitLabel, save }: ProductFormProps) {
  const [uploading, setUploading] = useState(false)
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm({
    schema: product ? editSchema : NewProduct,
    resetOnSuccess: !product,
    // The stock is not sent; the schema only needs a valid value. The price is read from its input, which shows cents.
    ...(product && { defaultValues: { ...product, price: undefined, quantity: 0 } }),
    async send(values) {
      await save(values)
      if (!product) form.setFocus('name')
    },
  })
  const image = useWatch({ control: form.control, name: 'image' })
  // With own sizes and colours each variant has its own part number and GTIN.
  const columns = detailColumns.filter(
    (column) => product?.options !== 'variants' || !('isOfVariant' in column),
  )
  const number = (name: 'price' | 'quantity' | 'minimum') => ({
    type: 'number',
    inputMode: 'numeric' as const,
    className: third,
    ...field(name, { valueAsNumber: true }),
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
      {product ? (
        // Not a number input: some browsers drop the comma of 12,50, which makes it 1250.
        <TextField
          label="Price"
          hint="In dollars, such as 12.50"
          inputMode="decimal"
          className={third}
          defaultValue={toPlainDollars(product.price)}
          {...field('price', {
            setValueAs: (text: string) => (text.trim() === '' ? undefined : parseDollars(text)),
          })}
        />
      ) : (
        <TextField label="Price" hint="In whole dollars" {...number('price')} />
      )}
      {!product && <TextField label="Quantity" hint="Pieces in stock" {...number('quantity')} />}
      <TextField label="Minimum" hint="Minimum order in pcs" {...number('minimum')} />
      <TextArea label="Description" rows={5} className="md:col-span-6" {...field('description')} />
      <PictureField
        url={image}
        input={field('image')}
        onUploaded={(url) => form.setValue('image', url, { shouldDirty: true, shouldValidate: true })}
        onBusy={setUploading}
        className="md:col-span-6"
      />
      {columns.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          className="md:col-span-3"
          {...field(name, orNothing)}
          {...{ hint: 'Optional', ...extras[name] }}
        />
      ))}
      <KindChoices />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {failure !== undefined && <ChangeFailure error={failure} checkHint="Manage Products" />}
        <Button type="submit" size="large" busy={isSubmitting} disabled={uploading}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

/** Suggests the existing kinds, so that one kind is not entered under two names. */
function KindChoices() {
  const { data = [] } = useQuery(kindsQuery)
  return (
    <datalist id="kinds">
      {data.map((kind) => (
        <option key={kind}>{kind}</option>
      ))}
    </datalist>
  )
}
