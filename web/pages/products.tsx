import { data } from 'react-router'
import { type PageHandle, shopContext } from '../context.ts'
import { listCanonical } from '../features/catalog/list-canonical.ts'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { isAdmin, useSession } from '../features/identity/session.ts'
import { withRetry } from '../retry.ts'
import { pageMeta } from '../shell/page-meta.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'
import type { Route } from './+types/products'

const pageSize = 24

export const handle: PageHandle = { parameters: ['page'] }

/** The page that an address asks for; whatever is no page is the first. */
function pageOf(url: string): number {
  const page = Number(new URL(url).searchParams.get('page') ?? 1)
  return Number.isInteger(page) && page >= 1 && page <= 1000 ? page : 1
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const page = pageOf(request.url)
  const { products, total } = await context.get(shopContext).products({ page, pageSize })
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const canonical = listCanonical({ page }, products.length)
  const found = { products, total, page, pages, before: (page - 1) * pageSize, canonical }
  return data(found, { status: page > pages ? 404 : 200 })
}

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => withRetry(serverLoader)

export const meta = () =>
  pageMeta('Products', 'Every part and piece of gear in the shop, with its price and its smallest order.')

export default function Products({ loaderData: { products, total, page, pages } }: Route.ComponentProps) {
  const admin = isAdmin(useSession())
  return (
    <div className="page-width">
      <PageHead title="Products" note={`${total} parts and pieces of gear`} />
      {products.length > 0 ? (
        <ProductGrid products={products} admin={admin} heading="h2" />
      ) : (
        <EmptyState title="No products here">
          The shop has nothing on this page at the moment. What it gets in will stand here.
        </EmptyState>
      )}
      <PagesNav
        page={page}
        pages={pages}
        link={(number) => (number === 1 ? '/products' : `?page=${number}`)}
      />
    </div>
  )
}
