import type { Product } from '../../contract/catalog.ts'
import { pictureSources } from '../../contract/pictures.ts'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { ProductNumbers } from '../features/catalog/product-numbers.tsx'
import { ProductOverview } from '../features/catalog/product-overview.tsx'
import { productSummary } from '../features/catalog/product-summary.ts'
import { ProductTrail } from '../features/catalog/product-trail.tsx'
import { isAdmin, useSession } from '../features/identity/session.ts'
import type { LoaderData } from '../loaders/loader.ts'
import type { loadProduct } from '../loaders/product.ts'
import { type PageHandle, type PageProps, pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Picture } from '../ui/picture.tsx'
import { SectionHead } from '../ui/section-head.tsx'

export const handle: PageHandle = { parameters: [] }

type Data = LoaderData<typeof loadProduct>

export const meta = (data: Data) => {
  if (data === null || data === 'gone') return pageMeta('Product not found')
  return pageMeta(data.product.name, productSummary(data.product))
}

export default function ProductPage({ data }: PageProps<Data>) {
  const admin = isAdmin(useSession())
  if (data === null || data === 'gone') return <Missing deleted={data === 'gone'} />
  const { product, related } = data
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
          <ProductOverview product={product} />
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
      <LinkButton href={`/dashboard/update-product/${_id}`} size="large">
        Update
      </LinkButton>
    )
  }
  if (quantity >= minimum) {
    return (
      <LinkButton href={`/purchase/${_id}`} size="large">
        Buy Now
      </LinkButton>
    )
  }
  return (
    <p className="rounded-card border border-dashed border-edge p-4 font-semibold">
      Out of stock
      {quantity > 0 && `. Only ${quantity} pcs left. The minimum order is ${minimum} pcs.`}
    </p>
  )
}

function Missing({ deleted }: { deleted: boolean }) {
  return (
    <div className="page-width py-16">
      <EmptyState
        wholePage
        title={deleted ? 'This product is no longer available' : 'Product not found'}
        action={<LinkButton href="/products">Browse the products</LinkButton>}
      >
        {deleted
          ? 'We no longer sell this product. Existing orders are not affected.'
          : 'Check the spelling of the address.'}
      </EmptyState>
    </div>
  )
}
