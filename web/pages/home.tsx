import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { Hero } from '../features/home/hero.tsx'
import { Stats } from '../features/home/stats.tsx'
import { isAdmin, isCustomer, useSession } from '../features/identity/session.ts'
import { ReviewGrid } from '../features/reviews/review-grid.tsx'
import type { loadHome } from '../loaders/home.ts'
import type { LoaderData } from '../loaders/loader.ts'
import { type PageHandle, type PageProps, pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { SectionHead } from '../ui/section-head.tsx'

export const handle: PageHandle = { parameters: [], canonical: '/' }

export const meta = () =>
  pageMeta(
    'Motorcycle Parts',
    'Motorcycle parts and gear at clear prices: brakes, chains, tyres, helmets and more.',
  )

export default function Home({ data: { products, reviews } }: PageProps<LoaderData<typeof loadHome>>) {
  const session = useSession()
  return (
    <>
      <Hero />
      <section aria-labelledby="products" className="page-width pt-14 md:pt-20">
        <SectionHead id="products" title="Products">
          {isCustomer(session) && (
            <LinkButton href="/products" variant="quiet">
              Browse All
            </LinkButton>
          )}
        </SectionHead>
        {products.length > 0 ? (
          <ProductGrid products={products} admin={isAdmin(session)} />
        ) : (
          <EmptyState title="No products yet">Products will appear here.</EmptyState>
        )}
      </section>
      <section aria-labelledby="reviews" className="page-width pt-14 md:pt-20">
        <SectionHead id="reviews" title="Reviews">
          <LinkButton href="/reviews" variant="quiet">
            See All
          </LinkButton>
        </SectionHead>
        {reviews.length > 0 ? (
          <ReviewGrid reviews={reviews} />
        ) : (
          <EmptyState title="No reviews yet">Customer reviews will appear here.</EmptyState>
        )}
      </section>
      <Stats />
    </>
  )
}
