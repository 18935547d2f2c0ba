import { ProductList } from '../features/catalog/product-list.tsx'
import { ExportButton } from '../features/imports/export-button.tsx'
import { pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { useListParams } from '../ui/list-params.ts'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'

export const meta = () => pageMeta('Manage Products')

export default function ManageProducts() {
  const params = useListParams()
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
      <ProductList
        params={params}
        empty={
          params.q ? (
            <NothingFound thing="product" q={params.q} />
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
    </>
  )
}
