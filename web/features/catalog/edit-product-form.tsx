import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { EditedProduct, NewProduct, type Product } from '../../../contract/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.ts'
import { ChangeFailure } from './change-failure.tsx'
import { useEditProduct } from './changes.ts'
import { ProductFields, productFormClass } from './product-fields.tsx'

export interface EditProductFormProps {
  product: Product
  onSaved: () => void
}

/** Changes what is said of a product. Its stock is not among that: it moves while somebody types. */
export function EditProductForm({ product, onSaved }: EditProductFormProps) {
  const edit = useEditProduct(product._id)
  const [uploading, setUploading] = useState(false)
  const form = useForm<NewProduct>({
    resolver: standardSchemaResolver(NewProduct),
    // The stock is nobody's to change here: any that is valid stands in for it.
    defaultValues: { ...product, quantity: 0 },
  })
  const submit = form.handleSubmit((values) =>
    edit.mutate(EditedProduct.parse(values), {
      onSuccess: () => {
        showToast('success', 'Product Saved')
        onSaved()
      },
    }),
  )
  return (
    <form noValidate onSubmit={submit} className={productFormClass}>
      <ProductFields form={form} onBusy={setUploading} isNew={false} />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {edit.isError && <ChangeFailure error={edit.error} look="under Manage Products" />}
        <Button type="submit" size="large" busy={edit.isPending} disabled={uploading}>
          Save
        </Button>
      </div>
    </form>
  )
}
