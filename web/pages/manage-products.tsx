import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Product, productSorts } from '../../contract/catalog.ts'
import { formatDollars } from '../../contract/money.ts'
import { readMessage } from '../api.ts'
import { ProductDetail } from '../features/catalog/product-detail.tsx'
import { productPageQuery, productQuery, useDeleteProduct } from '../features/catalog/queries.ts'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import { ExportButton } from '../features/imports/export-button.tsx'
import { ListView, useListParams } from '../list-view.tsx'
import { cancelTitle } from '../texts.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Manage Products' })

/** A page of products with dialogs for details and deletion. */
export default function ManageProducts() {
  const params = useListParams()
  const list = useQuery(productPageQuery(params.toQuery(productSorts)))
  const [opened, setOpened] = useState<{ product: Product; dialog: 'details' | 'delete' } | null>(null)
  const close = () => setOpened(null)

  const action = (product: Product) => (
    <div className="flex flex-wrap justify-end gap-2 lg:flex-nowrap">
      <Button variant="quiet" size="small" onClick={() => setOpened({ product, dialog: 'details' })}>
        Details
      </Button>
      <Button variant="danger" size="small" onClick={() => setOpened({ product, dialog: 'delete' })}>
        Delete
      </Button>
    </div>
  )

  return (
    <>
      <PageHead title="Manage Products">
        <div className="flex gap-2">
          <ExportButton>Export</ExportButton>
          <LinkButton variant="quiet" href="/dashboard/import-products">
            Import
          </LinkButton>
        </div>
        <SearchBox label="Search products" value={params.q} onSearch={params.search} />
      </PageHead>
      <DemoNotice about="products" className="pb-4" />
      <ListView
        caption="Manage Products"
        failure="The products could not be loaded"
        list={list}
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={(row) => row._id}
        params={params}
        searched="product"
        empty={
          <EmptyState
            title="No products yet"
            action={<LinkButton href="/dashboard/add-product">Add Product</LinkButton>}
          >
            Add a product to see its price and stock here.
          </EmptyState>
        }
      />
      {opened?.dialog === 'details' && <DetailsDialog product={opened.product} onClose={close} />}
      {opened?.dialog === 'delete' && <DeleteDialog product={opened.product} onClose={close} />}
    </>
  )
}

const none = <span className="text-quiet">–</span>

const columns: Column<Product>[] = [
  { head: 'Name', sort: 'name', names: true, cell: (product) => product.name },
  { head: 'Price', sort: 'price', numeric: true, cell: (product) => formatDollars(product.price) },
  { head: 'Stock', sort: 'quantity', numeric: true, cell: (product) => product.quantity },
  { head: 'Min. Order', sort: 'minimum', numeric: true, cell: (product) => product.minimum },
  { head: 'Origin', sort: 'category', cell: (product) => product.category ?? none },
]

interface DialogProps {
  product: Product
  onClose: () => void
}

/**
 * Reads the product itself, because a restock may move its row to another page of the list. The row has no variants, so
 * it counts as stale.
 */
function DetailsDialog({ product, onClose }: DialogProps) {
  const { data } = useQuery({ ...productQuery(product._id), initialData: product, initialDataUpdatedAt: 0 })
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
function DeleteDialog({ product, onClose }: DialogProps) {
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
