import type { Path, UseFormReturn } from 'react-hook-form'
import { categories, type NewProduct } from '../../../contract/catalog.ts'
import { detailColumns, type ProductColumnName } from '../../../contract/product-columns.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { KindChoices } from './kind-choices.tsx'
import { PictureField } from './picture-field.tsx'

const third = 'md:col-span-2'
const extras: { [Name in ProductColumnName]?: { hint: string; list?: string } } = {
  kind: { hint: 'For example, Brake pads (optional)', list: 'kinds' },
  gtin: { hint: 'Number under the barcode (optional)' },
}
const orNothing = { setValueAs: (value: string | undefined) => value || undefined }

export const productFormClass = 'grid max-w-3xl gap-4 md:grid-cols-6 md:gap-x-6'

export interface ProductFieldsProps {
  form: UseFormReturn<NewProduct>
  /** Called when an upload starts and ends. The form cannot be sent before its picture has a URL. */
  onBusy: (busy: boolean) => void
  /** Shows the field for the initial stock. Later the stock is changed separately. */
  isNew: boolean
}

/** Input fields of a product. */
export function ProductFields({ form, onBusy, isNew }: ProductFieldsProps) {
  const { register, formState } = form
  const error = (name: Path<NewProduct>) => formState.errors[name]?.message
  const number = (name: 'price' | 'quantity' | 'minimum') => ({
    type: 'number',
    inputMode: 'numeric' as const,
    className: third,
    error: error(name),
    ...register(name, { valueAsNumber: true }),
  })
  return (
    <>
      <TextField label="Name" className="md:col-span-4" error={error('name')} {...register('name')} />
      <SelectField
        label="Category"
        className={third}
        error={error('category')}
        {...register('category', orNothing)}
      >
        <option value="">None</option>
        {categories.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </SelectField>
      <TextField label="Price" hint="In whole dollars" {...number('price')} />
      {isNew && <TextField label="Quantity" hint="Pieces in stock" {...number('quantity')} />}
      <TextField label="Minimum" hint="Minimum order in pcs" {...number('minimum')} />
      <TextArea
        label="Description"
        rows={5}
        className="md:col-span-6"
        error={error('description')}
        {...register('description')}
      />
      <PictureField form={form} onBusy={onBusy} className="md:col-span-6" />
      {detailColumns.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          className="md:col-span-3"
          error={error(name)}
          {...register(name, orNothing)}
          {...{ hint: 'Optional', ...extras[name] }}
        />
      ))}
      <KindChoices />
    </>
  )
}
