import { useState } from 'react'
import { EditedProduct, NewProduct, type Product } from '../../../contract/catalog.ts'
import { isClientError } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { showToast } from '../../ui/toast.ts'
import { ChangeFailure } from './change-failure.tsx'
import { useEditProduct } from './changes.ts'
import { ProductFields, productFormClass } from './product-fields.tsx'

export interface EditProductFormProps {
  product: Product
  onSaved: () => void
}

/** Form for all fields of a product except the stock, which may change while the admin types. */
export function EditProductForm({ product, onSaved }: EditProductFormProps) {
  const edit = useEditProduct(product._id)
  const [uploading, setUploading] = useState(false)
  const { form, failure, formProps } = useCheckedForm({
    schema: NewProduct,
    isAboutValues: isClientError,
    // The stock is not sent; the schema only needs a valid value.
    defaultValues: { ...product, quantity: 0 },
    async send(values) {
      await edit.mutateAsync(EditedProduct.parse(values))
      showToast('success', 'Product Saved')
      onSaved()
    },
  })
  return (
    <form {...formProps} className={productFormClass}>
      <ProductFields form={form} onBusy={setUploading} isNew={false} />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {failure !== undefined && <ChangeFailure error={failure} checkHint="Manage Products" />}
        <Button type="submit" size="large" busy={form.formState.isSubmitting} disabled={uploading}>
          Save
        </Button>
      </div>
    </form>
  )
}
