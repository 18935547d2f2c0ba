import { facetNames, productParameters } from '../../contract/product-filters.ts'
import { listLink } from '../features/catalog/list-links.ts'
import { countLabel, ProductChips, ProductFilters } from '../features/catalog/product-filters.tsx'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { ProductSearch } from '../features/catalog/product-search.tsx'
import { FitMark } from '../features/garage/on-demand.tsx'
import { isAdmin, useSession } from '../features/identity/session.ts'
import type { LoaderData, loadProducts } from '../loaders/loaders.ts'
import type { PageProps } from '../router/page.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'
import { EmptyState } from '../ui/states.tsx'

export const parameters = productParameters

type Data = LoaderData<typeof loadProducts>

export const meta = ({ title, search, canonical }: Data) => ({
  title,
  description: search
    ? `${title}: motorcycle parts and gear with prices, minimum orders and stock.`
    : 'All motorcycle parts and gear with prices, minimum orders and stock.',
  canonical,
})

export default function Products({ data }: PageProps<Data>) {
  const { products, total, estimated, facets, q, sort, chosen, search, page, pages } = data
  const admin = isAdmin(useSession())
  const filters = facetNames.flatMap((name) => chosen[name] ?? []).length
  const isNarrowed = filters > 0 || q !== ''
  if (total === 0 && !isNarrowed) return <EmptyShop />
  return (
    <div className="page-width">
      <PageHead title="Products" note={<span role="status">{toNote(data)}</span>} />
      <ProductSearch q={q} sort={sort} chosen={chosen}>
        <button type="button" popoverTarget="filters" className={`${buttonClass('quiet')} lg:hidden`}>
          Filters{filters > 0 && ` (${filters})`}
        </button>
      </ProductSearch>
      <div className="pt-4 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-8 lg:pt-8">
        <ProductFilters counts={facets} chosen={chosen} search={search} />
        <div className="flex min-w-0 flex-col gap-4">
          <ProductChips q={q} chosen={chosen} search={search} />
          {products.length > 0 ? (
            <ProductGrid products={products} admin={admin} heading="h2" first mark={FitMark} />
          ) : (
            <NothingHere firstPage={total > 0 ? listLink(search, {}) : undefined} />
          )}
          <PagesNav
            page={page}
            pages={pages}
            link={(number) => listLink(search, { page: number === 1 ? '' : String(number) })}
          />
          {estimated && page === pages && (
            <p className="text-quiet">
              Only the first results are shown. Add a word or a filter to narrow the list.
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

/** Number of results, and the corrected search text if it differs from the input. */
function toNote({ total, estimated, q, searchedFor }: Data): string {
  const count = countLabel(total, estimated)
  const results = `${count} ${total === 1 ? 'result' : 'results'}`
  if (searchedFor) return `No results for “${q}”. Showing ${results} for “${searchedFor}”.`
  const note = q ? `${results} for “${q}”` : `${count} ${total === 1 ? 'product' : 'products'}`
  return note.replace(/^about/, 'About')
}

/** Replaces the grid. `firstPage` is set if the requested page is after the last one. */
function NothingHere({ firstPage }: { firstPage: string | undefined }) {
  const [title, hint, label] = firstPage
    ? ['No products on this page', 'The list has fewer pages.', 'Go to first page']
    : ['No products found', 'Remove a filter, use fewer words or check the spelling.', 'Show all products']
  return (
    <EmptyState title={title} action={<LinkButton href={firstPage ?? '/products'}>{label}</LinkButton>}>
      {hint}
    </EmptyState>
  )
}

/** Shown without search and filters if the shop has no products. */
function EmptyShop() {
  return (
    <div className="page-width">
      <PageHead title="Products" />
      <EmptyState title="No products yet">New products will appear here.</EmptyState>
    </div>
  )
}
