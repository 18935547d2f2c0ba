import { useState } from 'react'
import { NewProduct } from '../../../contract/catalog.ts'
import { isClientError } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { showToast } from '../../ui/toast.ts'
import { ChangeFailure } from './change-failure.tsx'
import { useAddProduct } from './changes.ts'
import { ProductFields, productFormClass } from './product-fields.tsx'

/** Form for a new product. The input stays until the product is added. */
export function AddProductForm() {
  const add = useAddProduct()
  const [uploading, setUploading] = useState(false)
  const { form, failure, formProps } = useCheckedForm({
    schema: NewProduct,
    isAboutValues: isClientError,
    resetOnSuccess: true,
    async send(product) {
      await add.mutateAsync(product)
      showToast('success', 'Product Uploaded Successfully')
      form.setFocus('name')
    },
  })

  return (
    <form {...formProps} className={productFormClass}>
      <ProductFields form={form} onBusy={setUploading} isNew />
      <div className="flex flex-col items-start gap-4 md:col-span-6">
        {failure !== undefined && <ChangeFailure error={failure} checkHint="Manage Products" />}
        <Button type="submit" size="large" busy={form.formState.isSubmitting} disabled={uploading}>
          Add Product
        </Button>
      </div>
    </form>
  )
}
