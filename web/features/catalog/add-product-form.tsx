import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { NewProduct } from '../../../contract/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import { ChangeFailure } from './change-failure.tsx'
import { useAddProduct } from './changes.ts'
import { ProductFields, productFormClass } from './product-fields.tsx'

/** What goes on the shelf next. What was typed stays until it is there. */
export function AddProductForm() {
  const add = useAddProduct()
  const [uploading, setUploading] = useState(false)
  const form = useForm<NewProduct>({ resolver: standardSchemaResolver(NewProduct) })
  const submit = form.handleSubmit((product) =>
    add.mutate(product, {
      onSuccess: () => {
        showToast('success', 'Product Uploaded Successfully')
        form.setFocus('name')
        form.reset()
      },
    }),
  )

  return (
    <form noValidate onSubmit={submit} className={productFormClass}>
      <ProductFields form={form} onBusy={setUploading} isNew />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {add.isError && <ChangeFailure error={add.error} look="under Manage Products" />}
        <Button type="submit" size="large" busy={add.isPending} disabled={uploading}>
          Add Product
        </Button>
      </div>
    </form>
  )
}
