import { facetNames, productParameters } from '../../contract/product-filters.ts'
import { countLabel } from '../features/catalog/filter-labels.ts'
import { listLink } from '../features/catalog/list-links.ts'
import { ProductChips } from '../features/catalog/product-chips.tsx'
import { ProductFilters } from '../features/catalog/product-filters.tsx'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { ProductSearch } from '../features/catalog/product-search.tsx'
import { isAdmin, useSession } from '../features/identity/session.ts'
import type { LoaderData } from '../loaders/loader.ts'
import type { loadProducts } from '../loaders/products.ts'
import { type PageHandle, type PageProps, pageMeta } from '../router/page.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'

export const handle: PageHandle = { parameters: productParameters }

type Data = LoaderData<typeof loadProducts>

export const meta = ({ title, search }: Data) =>
  pageMeta(
    title,
    search
      ? `${title}: parts and gear with their prices, their smallest orders and what is in stock.`
      : 'Every part and piece of gear in the shop, with its price and its smallest order.',
  )

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
            <ProductGrid products={products} admin={admin} heading="h2" first />
          ) : (
            <NothingHere isPastTheEnd={total > 0} first={listLink(search, {})} />
          )}
          <PagesNav
            page={page}
            pages={pages}
            link={(number) => listLink(search, { page: number === 1 ? '' : String(number) })}
          />
          {estimated && page === pages && (
            <p className="text-quiet">
              The pages end here. Another word or a filter finds what is still missing.
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
  if (searchedFor) return `Nothing is called “${q}”. ${count} found for “${searchedFor}”.`
  if (q) return `${estimated ? 'About' : ''} ${total.toLocaleString('en-US')} found for “${q}”`.trim()
  return `${count} parts and pieces of gear`
}

interface NothingHereProps {
  isPastTheEnd: boolean
  first: string
}

function NothingHere({ isPastTheEnd, first }: NothingHereProps) {
  if (isPastTheEnd) {
    return (
      <EmptyState title="No products here" action={<LinkButton href={first}>To the first page</LinkButton>}>
        The list is shorter than this page's number.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Nothing found" action={<LinkButton href="/products">Show all products</LinkButton>}>
      No product is all of this at once. Let go of a filter, or try fewer words or another spelling.
    </EmptyState>
  )
}

/** Shown without search and filters if the shop has no products. */
function EmptyShop() {
  return (
    <div className="page-width">
      <PageHead title="Products" />
      <EmptyState title="No products here">
        The shop has nothing on its shelves at the moment. What it gets in will stand here.
      </EmptyState>
    </div>
  )
}
