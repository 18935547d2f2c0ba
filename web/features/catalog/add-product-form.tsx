import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { categories, NewProduct } from '../../../contract/catalog.ts'
import { messageOf } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.ts'
import { useAddProduct } from './queries.ts'

const asNumber = { valueAsNumber: true } as const
const orNothing = { setValueAs: (value: string | undefined) => value || undefined }

/** What goes on the shelf next. */
export function AddProductForm() {
  const add = useAddProduct()
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: standardSchemaResolver(NewProduct),
  })
  const { errors } = formState
  const submit = handleSubmit((product) =>
    add.mutate(product, {
      onSuccess: () => {
        showToast('success', 'Product Uploaded Successfully')
        reset()
      },
    }),
  )
  return (
    <form noValidate onSubmit={submit} className="grid max-w-3xl gap-4 md:grid-cols-6 md:gap-x-6">
      <TextField label="Name" className="md:col-span-4" error={errors.name?.message} {...register('name')} />
      <SelectField
        label="Category"
        className="md:col-span-2"
        error={errors.category?.message}
        {...register('category', orNothing)}
      >
        <option value="">None</option>
        {categories.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </SelectField>
      <TextField
        label="Price"
        type="number"
        inputMode="numeric"
        hint="In whole dollars"
        className="md:col-span-2"
        error={errors.price?.message}
        {...register('price', asNumber)}
      />
      <TextField
        label="Quantity"
        type="number"
        inputMode="numeric"
        hint="Pieces in stock"
        className="md:col-span-2"
        error={errors.quantity?.message}
        {...register('quantity', asNumber)}
      />
      <TextField
        label="Minimum"
        type="number"
        inputMode="numeric"
        hint="Smallest order"
        className="md:col-span-2"
        error={errors.minimum?.message}
        {...register('minimum', asNumber)}
      />
      <TextArea
        label="Description"
        rows={5}
        className="md:col-span-6"
        error={errors.description?.message}
        {...register('description')}
      />
      <TextField
        label="Image"
        type="url"
        hint="The address of a picture"
        className="md:col-span-6"
        error={errors.image?.message}
        {...register('image')}
      />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {add.isError && <Alert>{messageOf(add.error)}</Alert>}
        <Button type="submit" size="large" busy={add.isPending}>
          Add Product
        </Button>
      </div>
    </form>
  )
}
