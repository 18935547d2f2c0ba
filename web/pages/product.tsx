import { data, redirect } from 'react-router'
import type { Product } from '../../contract/catalog.ts'
import { pictureSources } from '../../contract/pictures.ts'
import { productPath, slugOf } from '../../contract/product-path.ts'
import { type PageHandle, shopContext } from '../context.ts'
import { ProductFacts } from '../features/catalog/product-facts.tsx'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { ProductNumbers } from '../features/catalog/product-numbers.tsx'
import { productSummary } from '../features/catalog/product-summary.ts'
import { ProductTrail } from '../features/catalog/product-trail.tsx'
import { isAdmin, useSession } from '../features/identity/session.ts'
import { withRetry } from '../retry.ts'
import { pageMeta } from '../shell/page-meta.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Picture } from '../ui/picture.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import type { Route } from './+types/product'

export const handle: PageHandle = { parameters: [] }

/** A product has one address: its id finds it, and another name in it leads to the right one. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const found = await context.get(shopContext).productPage(params.id)
  if (found === null) return data(null, { status: 404 })
  if (found === 'gone') return data('gone' as const, { status: 410 })
  if (params.slug !== slugOf(found.product.name)) throw redirect(productPath(found.product), 301)
  return data({ ...found, canonical: productPath(found.product) })
}

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => withRetry(serverLoader)

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData || loaderData === 'gone') return pageMeta('Product not found')
  return pageMeta(loaderData.product.name, productSummary(loaderData.product))
}

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const admin = isAdmin(useSession())
  if (loaderData === null || loaderData === 'gone') return <Missing gone={loaderData === 'gone'} />
  const { product, related } = loaderData
  return (
    <div className="page-width">
      <ProductTrail product={product} />
      <div className="grid gap-8 md:grid-cols-2 md:grid-rows-[auto_1fr] md:gap-10 lg:grid-cols-[7fr_5fr] lg:gap-16">
        <div className="self-start rounded-card border border-line bg-surface p-4 md:p-8">
          <Picture
            src={product.image}
            sources={pictureSources(product.image)}
            sizes="(width < 48rem) calc(100vw - 4.125rem), (width < 68.75rem) 45vw, 40rem"
            alt={product.name}
            fetchPriority="high"
          />
        </div>
        <div className="flex min-w-0 flex-col gap-6 md:row-span-2">
          <ProductFacts product={product} />
          <Action product={product} admin={admin} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <p className="max-w-text text-lg wrap-anywhere whitespace-pre-line">{product.description}</p>
          <ProductNumbers product={product} />
        </div>
      </div>
      {related.length > 0 && (
        <section aria-labelledby="related" className="pt-14 md:pt-20">
          <SectionHead id="related" title={`More ${product.kind?.toLowerCase()}`} />
          <ProductGrid products={related} admin={admin} />
        </section>
      )}
    </div>
  )
}

function Action({ product: { _id, quantity, minimum }, admin }: { product: Product; admin: boolean }) {
  if (admin) {
    return (
      <LinkButton to={`/dashboard/update-product/${_id}`} size="large">
        Update
      </LinkButton>
    )
  }
  if (quantity >= minimum) {
    return (
      <LinkButton to={`/purchase/${_id}`} size="large">
        Buy Now
      </LinkButton>
    )
  }
  return (
    <p className="rounded-card border border-dashed border-edge p-4 font-semibold">
      Out of stock
      {quantity > 0 && `: ${quantity} pcs are left, fewer than the smallest order takes`}
    </p>
  )
}

function Missing({ gone }: { gone: boolean }) {
  return (
    <div className="page-width py-16">
      <EmptyState
        wholePage
        title={gone ? 'This product has left the shop' : 'This product is not in the shop'}
        action={<LinkButton to="/products">Browse the products</LinkButton>}
      >
        {gone
          ? 'It is sold here no more. Orders that were placed for it stay as they are.'
          : 'The address may have been mistyped.'}
      </EmptyState>
    </div>
  )
}
