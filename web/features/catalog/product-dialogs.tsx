import type { Product } from '../../../contract/catalog.ts'
import { messageOf } from '../../api.ts'
import { cancelTitle } from '../../texts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.ts'
import { ProductDetail } from './product-detail.tsx'
import { useDeleteProduct } from './queries.ts'

export interface ProductDialogProps {
  product: Product
  onClose: () => void
}

export function ProductDetailsDialog({ product, onClose }: ProductDialogProps) {
  return (
    <Dialog title="Details" onClose={onClose}>
      <ProductDetail product={product} heading="h3" />
    </Dialog>
  )
}

/** Its wording is that of a cancelled order: so the specification has it. */
export function DeleteProductDialog({ product, onClose }: ProductDialogProps) {
  const remove = useDeleteProduct()
  const confirm = () =>
    remove.mutate(product._id, {
      onSuccess: () => {
        showToast('success', 'Product Deleted')
        onClose()
      },
    })
  return (
    <ConfirmDialog
      title={cancelTitle}
      busy={remove.isPending}
      failure={remove.isError ? messageOf(remove.error) : ''}
      onYes={confirm}
      onClose={onClose}
    >
      {product.name} leaves the shop. Orders that were placed for it stay as they are.
    </ConfirmDialog>
  )
}
