import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Product, productSorts } from '../../../contract/catalog.ts'
import { formatDollars } from '../../../contract/money.ts'
import { readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { knownSort, type ListParams } from '../../ui/list-params.ts'
import { ListView } from '../../ui/list-view.tsx'
import { DeleteProductDialog, ProductDetailsDialog } from './product-dialogs.tsx'
import { productPageQuery } from './queries.ts'

const pageSize = 20

const none = <span className="text-quiet">–</span>

const columns: Column<Product>[] = [
  { head: 'Name', sort: 'name', names: true, cell: (product) => product.name },
  { head: 'Price', sort: 'price', numeric: true, cell: (product) => formatDollars(product.price) },
  { head: 'Stock', sort: 'quantity', numeric: true, cell: (product) => product.quantity },
  { head: 'Min. Order', sort: 'minimum', numeric: true, cell: (product) => product.minimum },
  { head: 'Origin', sort: 'category', cell: (product) => product.category ?? none },
]

/** A page of products with dialogs for details and deletion. */
export function ProductList({ params, empty }: { params: ListParams; empty: ReactNode }) {
  const [opened, setOpened] = useState<{ product: Product; dialog: 'details' | 'delete' } | null>(null)
  const { page, q } = params
  const sort = knownSort(productSorts, params.sort)
  const list = useQuery(productPageQuery({ page, pageSize, sort, q: q || undefined }))
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
      <ListView
        caption="Manage Products"
        failure={{ title: 'The products could not be loaded', message: readMessage }}
        list={list}
        columns={[...columns, { head: 'Action', actions: true, cell: action }]}
        rowKey={(row) => row._id}
        params={params}
        pageSize={pageSize}
        empty={empty}
      />
      {opened?.dialog === 'details' && <ProductDetailsDialog product={opened.product} onClose={close} />}
      {opened?.dialog === 'delete' && <DeleteProductDialog product={opened.product} onClose={close} />}
    </>
  )
}
