import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { productSorts } from '../../contract/catalog.ts'
import { type ListedProduct, maxSelected } from '../../contract/product-changes.ts'
import { readMessage } from '../api.ts'
import { ConfirmChange } from '../confirm-change.tsx'
import { HiddenMark } from '../features/catalog/hide-button.tsx'
import { PriceCell } from '../features/catalog/price-cell.tsx'
import { ProductDetail } from '../features/catalog/product-detail.tsx'
import { ProductListFilters, ProductTabs, readFilters } from '../features/catalog/product-list-filters.tsx'
import {
  allProductsQuery,
  anyProductQuery,
  useDeleteProduct,
  useRestoreProduct,
} from '../features/catalog/queries.ts'
import { SelectionBar } from '../features/catalog/selection-bar.tsx'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import { ExportForm } from '../features/imports/export-button.tsx'
import { cancelTitle } from '../features/orders/order-labels.tsx'
import { ListView, useListParams } from '../list-view.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { focusMainIfLost } from '../ui/lost-focus.ts'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Manage Products' })

/** A page of all products, with changes of one or of many of them. */
export default function ManageProducts() {
  const params = useListParams()
  const { tab, filters } = readFilters(params)
  const list = useQuery(allProductsQuery({ ...params.toQuery(productSorts), ...filters }))
  const [opened, setOpened] = useState<{ product: ListedProduct; dialog: 'details' | 'delete' } | null>(null)
  const close = () => setOpened(null)
  const total = list.data?.total ?? 0
  const { isAll, ids, isSelected, toggle, forget, selectAll, clear } = useSelected(JSON.stringify(filters))
  const selected = isAll ? total - ids.length : ids.length
  // On a phone the boxes appear after a click.
  const [isSelecting, setSelecting] = useState(false)
  const isFiltered = Object.entries(filters).some(([name, value]) => name !== 'q' && value !== undefined)

  const box = (product: ListedProduct) => (
    <input
      type="checkbox"
      aria-label={`Select ${product.name}`}
      className="size-5 accent-signal align-middle"
      checked={isSelected(product._id)}
      onChange={() => toggle(product._id)}
    />
  )
  const action = (product: ListedProduct) =>
    tab === 'deleted' ? (
      <RestoreButton product={product} onDone={() => forget(product._id)} />
    ) : (
      <div className="flex flex-wrap justify-end gap-2 xl:flex-nowrap">
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
        <div className="flex grow flex-wrap gap-3 md:justify-end">
          <SearchBox label="Search products" value={params.q} onSearch={params.search} />
          <LinkButton variant="quiet" href="/dashboard/import-products">
            Import
          </LinkButton>
        </div>
      </PageHead>
      <DemoNotice about="products" className="pb-4" />
      <ProductTabs params={params} tab={tab} />
      <ProductListFilters params={params} />
      {total > 0 && (
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <p className="grow tabular-nums">{describeTotal(total)}</p>
          <Button
            size="small"
            variant="quiet"
            className="md:hidden"
            aria-pressed={isSelecting}
            onClick={() => setSelecting(!isSelecting)}
          >
            Select
          </Button>
          <Button size="small" variant="quiet" onClick={selectAll}>
            Select all {total.toLocaleString('en-US')}
          </Button>
          <ExportForm route="exportProducts" query={filters} />
        </div>
      )}
      <ListView
        caption="Manage Products"
        failure="The products could not be loaded"
        list={list}
        columns={[
          { head: 'Select', cell: box, onPhone: isSelecting || isAll ? 'inline' : 'hidden' },
          ...columns,
          { head: 'Action', actions: true, onPhone: 'whole', cell: action },
        ]}
        rowKey={(row) => row._id}
        params={params}
        searched="product"
        empty={
          isFiltered ? (
            <EmptyState
              title="No results"
              action={<LinkButton href="/dashboard/manage-products">Show all</LinkButton>}
            >
              {tab === 'deleted' ? 'No deleted product' : 'No product'} matches these filters.
            </EmptyState>
          ) : (
            <EmptyState
              title="No products yet"
              action={<LinkButton href="/dashboard/add-product">Add Product</LinkButton>}
            >
              Add a product to see its price and stock here.
            </EmptyState>
          )
        }
      />
      {selected > 0 && (
        <SelectionBar
          selection={isAll ? { query: filters, total, except: ids } : { ids }}
          count={selected}
          tab={tab}
          onClear={clear}
        />
      )}
      {opened?.dialog === 'details' && <DetailsDialog product={opened.product} onClose={close} />}
      {opened?.dialog === 'delete' && (
        <DeleteDialog product={opened.product} onDone={() => forget(opened.product._id)} onClose={close} />
      )}
    </>
  )
}

/** The server counts up to the largest selection. */
const describeTotal = (total: number) =>
  `${total.toLocaleString('en-US')}${total >= maxSelected ? '+' : ''} ${total === 1 ? 'product' : 'products'}`

/** The selected products: `ids`, or all that match the filters except `ids`. Other filters clear the selection. */
function useSelected(filters: string) {
  const [state, setState] = useState({ filters, isAll: false, ids: [] as string[] })
  const isCurrent = state.filters === filters
  const isAll = isCurrent && state.isAll
  const ids = isCurrent ? state.ids : []
  return {
    isAll,
    ids,
    isSelected: (id: string) => ids.includes(id) !== isAll,
    toggle: (id: string) =>
      setState({
        filters,
        isAll,
        ids: ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id],
      }),
    /** For a product that has left the list. */
    forget: (id: string) => setState((now) => ({ ...now, ids: now.ids.filter((other) => other !== id) })),
    selectAll: () => setState({ filters, isAll: true, ids: [] }),
    clear: () => setState({ filters, isAll: false, ids: [] }),
  }
}

function RestoreButton({ product, onDone }: { product: ListedProduct; onDone: () => void }) {
  const restore = useRestoreProduct()
  return (
    <BusyButton
      variant="quiet"
      size="small"
      busy={restore.isPending}
      onClick={() =>
        restore.mutate(product._id, {
          onSuccess: () => {
            showToast('success', 'Product restored')
            onDone()
            // The row disappears.
            focusMainIfLost()
          },
          onError: (error) => showToast('error', readMessage(error)),
        })
      }
    >
      Restore
    </BusyButton>
  )
}

const none = <span className="text-quiet">–</span>

const columns: Column<ListedProduct>[] = [
  {
    head: 'Name',
    sort: 'name',
    names: true,
    onPhone: 'whole',
    cell: (product) => (
      <>
        {product.name} <HiddenMark product={product} />
        {product.sku && <span className="block text-sm font-normal text-quiet">{product.sku}</span>}
      </>
    ),
  },
  {
    head: 'Price',
    sort: 'price',
    numeric: true,
    onPhone: 'inline',
    cell: (product) => <PriceCell product={product} />,
  },
  { head: 'Stock', sort: 'quantity', numeric: true, onPhone: 'inline', cell: (product) => product.quantity },
  {
    head: 'Min. Order',
    sort: 'minimum',
    numeric: true,
    onPhone: 'inline',
    cell: (product) => product.minimum,
  },
  { head: 'Origin', sort: 'category', onPhone: 'inline', cell: (product) => product.category ?? none },
]

interface DialogProps {
  product: ListedProduct
  onClose: () => void
}

/**
 * Reads the product itself, because a restock may move its row to another page of the list. The row has no variants, so
 * it counts as stale.
 */
function DetailsDialog({ product, onClose }: DialogProps) {
  const { data } = useQuery({
    ...anyProductQuery(product._id),
    initialData: product,
    initialDataUpdatedAt: 0,
  })
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
function DeleteDialog({ product, onDone, onClose }: DialogProps & { onDone: () => void }) {
  return (
    <ConfirmChange
      title={cancelTitle}
      change={useDeleteProduct()}
      input={product._id}
      done="Product Deleted"
      onDone={onDone}
      onClose={onClose}
    >
      {product.name} will be removed from the shop. Existing orders are not affected.
    </ConfirmChange>
  )
}
