import { useQuery } from '@tanstack/react-query'
import type { Product } from '../../../contract/catalog.ts'
import { readMessage } from '../../api.ts'
import { cancelTitle } from '../../texts.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { showToast } from '../../ui/toast.ts'
import { useDeleteProduct } from './changes.ts'
import { ProductDetail } from './product-detail.tsx'
import { productQuery } from './queries.ts'

export interface ProductDialogProps {
  product: Product
  onClose: () => void
}

/** Reads the product itself, because a restock may move its row to another page of the list. */
export function ProductDetailsDialog({ product, onClose }: ProductDialogProps) {
  const { data } = useQuery({ ...productQuery(product._id), initialData: product })
  return (
    <Dialog title="Details" onClose={onClose} wide>
      <ProductDetail product={data} heading="h3" />
      <LinkButton href={`/dashboard/edit-product/${product._id}`} variant="quiet" className="mt-6">
        Edit
      </LinkButton>
    </Dialog>
  )
}

/** The specification uses the title of a cancelled order here. */
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
      failure={remove.isError ? readMessage(remove.error) : ''}
      onYes={confirm}
      onClose={onClose}
    >
      {product.name} will be removed from the shop. Existing orders are not affected.
    </ConfirmDialog>
  )
}
