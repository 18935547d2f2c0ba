import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { type Path, useForm } from 'react-hook-form'
import { categories, NewProduct } from '../../../contract/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.ts'
import { ChangeFailure } from './change-failure.tsx'
import { useAddProduct } from './changes.ts'
import { KindChoices } from './kind-choices.tsx'
import { PictureField } from './picture-field.tsx'

const third = 'md:col-span-2'
const orNothing = { setValueAs: (value: string | undefined) => value || undefined }

/** What goes on the shelf next. What was typed stays until it is there. */
export function AddProductForm() {
  const add = useAddProduct()
  const [uploading, setUploading] = useState(false)
  const form = useForm<NewProduct>({ resolver: standardSchemaResolver(NewProduct) })
  const { register, reset, setFocus, formState } = form
  const error = (name: Path<NewProduct>) => formState.errors[name]?.message
  const number = (name: 'price' | 'quantity' | 'minimum') => ({
    type: 'number',
    inputMode: 'numeric' as const,
    className: third,
    error: error(name),
    ...register(name, { valueAsNumber: true }),
  })
  const optional = (name: 'supplier' | 'brand' | 'kind' | 'sku' | 'gtin') => ({
    hint: 'May be left out',
    className: 'md:col-span-3',
    error: error(name),
    ...register(name, orNothing),
  })

  const submit = form.handleSubmit((product) =>
    add.mutate(product, {
      onSuccess: () => {
        showToast('success', 'Product Uploaded Successfully')
        setFocus('name')
        reset()
      },
    }),
  )

  return (
    <form noValidate onSubmit={submit} className="grid max-w-3xl gap-4 md:grid-cols-6 md:gap-x-6">
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
      <TextField label="Quantity" hint="Pieces in stock" {...number('quantity')} />
      <TextField label="Minimum" hint="Smallest order" {...number('minimum')} />
      <TextArea
        label="Description"
        rows={5}
        className="md:col-span-6"
        error={error('description')}
        {...register('description')}
      />
      <PictureField form={form} onBusy={setUploading} className="md:col-span-6" />
      <TextField label="Supplier" {...optional('supplier')} />
      <TextField label="Brand" {...optional('brand')} />
      <TextField
        label="Kind of part"
        list="kinds"
        {...optional('kind')}
        hint="As Brake pads; may be left out"
      />
      <KindChoices />
      <TextField label="Part number" {...optional('sku')} />
      <TextField label="GTIN" {...optional('gtin')} hint="Under the bar code; may be left out" />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {add.isError && <ChangeFailure error={add.error} look="under Manage Products" />}
        <Button type="submit" size="large" busy={add.isPending} disabled={uploading}>
          Add Product
        </Button>
      </div>
    </form>
  )
}
