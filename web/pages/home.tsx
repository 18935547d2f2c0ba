import motorcycle from '../../drawings/hero.svg'
import { listLink } from '../features/catalog/list-links.ts'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { SearchForm } from '../features/catalog/search-form.tsx'
import { isAdmin, isCustomer, useSession } from '../features/identity/session.ts'
import { ReviewGrid } from '../features/reviews/review-grid.tsx'
import type { LoaderData, loadHome } from '../loaders/loaders.ts'
import { ProductImage } from '../product-image.tsx'
import type { PageProps } from '../router/page.ts'
import { LinkButton } from '../ui/button.tsx'
import { SectionHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

type HomeData = LoaderData<typeof loadHome>

export const meta = ({ title, description }: HomeData) => ({ title, description, canonical: '/' })

export default function Home({
  data: { hero, banners, products, reviews, stats, kinds },
}: PageProps<HomeData>) {
  const session = useSession()
  return (
    <>
      <Hero hero={hero} />
      {kinds.length > 0 && <Kinds kinds={kinds} />}
      {banners.length > 0 && <Banners banners={banners} />}
      <section aria-labelledby="products" className="page-width pt-14 md:pt-20">
        <SectionHead id="products" title="Products">
          {isCustomer(session) && (
            <LinkButton href="/products" variant="quiet">
              Browse All
            </LinkButton>
          )}
        </SectionHead>
        {products.length > 0 ? (
          <ProductGrid products={products} admin={isAdmin(session)} fit="shown" />
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
        <ReviewGrid reviews={reviews} />
      </section>
      {stats.length > 0 && <Stats stats={stats} />}
    </>
  )
}

/** Top of the home page. The title is as large as the screen allows, with the motorcycle below it. */
function Hero({ hero: { title, isLong, text, button, href, picture } }: Pick<HomeData, 'hero'>) {
  return (
    <section aria-labelledby="hero" className="on-ink overflow-x-clip bg-ink text-white">
      <div
        className="page-width relative grid grid-cols-[minmax(0,1fr)] pt-10 md:min-h-[34rem]
          md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] md:pt-14"
      >
        <h1
          id="hero"
          className={`font-display leading-[0.82] font-bold wrap-anywhere whitespace-pre-line uppercase md:col-start-1 md:row-start-1
            ${picture ? 'text-[8vw] md:pr-8 md:text-[min(3.6vw,3.4rem)]' : `md:col-end-3 ${isLong ? 'text-[clamp(1.9rem,8vw,7.5rem)]' : 'text-[clamp(min(4.5rem,(100vw-2rem)/4.7),15.5vw,14.5rem)]'}`}`}
        >
          {title}
        </h1>
        {picture ? (
          <ProductImage
            src={picture}
            sizes="(width < 48rem) 100vw, 50vw"
            alt=""
            fetchPriority="high"
            className="mt-6 rounded-card md:col-start-2 md:row-span-2 md:row-start-1 md:mt-0 md:mb-16"
          />
        ) : (
          <img
            src={motorcycle}
            alt=""
            width="900"
            height="520"
            fetchPriority="high"
            className="relative -mt-3 w-full max-w-none self-end md:col-start-2 md:row-span-2 md:row-start-1 md:mt-0
              md:w-[108%] md:pt-24 lg:pt-28 xl:pt-44"
          />
        )}
        <div
          className={`relative flex flex-col items-start gap-6 self-end pt-6 pb-12 md:col-start-1 md:row-start-2 md:pb-16 ${picture ? 'md:pr-8' : ''}`}
        >
          <p className="max-w-[34ch] text-lg wrap-anywhere text-ink-quiet">{text}</p>
          <search className="w-full max-w-narrow">
            <SearchForm />
          </search>
          <LinkButton href={href} variant="bright" size="large">
            <span>{button}</span>
            <span aria-hidden>›</span>
          </LinkButton>
        </div>
      </div>
    </section>
  )
}

/** The kinds with the most products, as links to their lists. */
const Kinds = ({ kinds }: Pick<HomeData, 'kinds'>) => (
  <nav aria-label="Kinds of parts" className="page-width pt-6 md:pt-8">
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(4.75rem,100%),1fr))] gap-2 md:grid-cols-8 lg:gap-4">
      {kinds.map(({ kind, image }) => (
        <li key={kind}>
          <a
            href={listLink('', { kind })}
            className="flex h-full flex-col items-center gap-1 rounded-card border border-line bg-surface px-1 py-2 text-center font-display
              leading-tight font-semibold tracking-wide wrap-anywhere hyphens-auto hover:border-ink"
          >
            <ProductImage src={image} sizes="8rem" alt="" loading="lazy" />
            {kind}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** Cards of the shop, with a link or without. */
const Banners = ({ banners }: Pick<HomeData, 'banners'>) => (
  <ul className="page-width grid gap-4 pt-6 md:auto-cols-fr md:grid-flow-col md:pt-8">
    {banners.map(({ title, text, picture, href }, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- titles may repeat
      <li key={index}>
        <a
          href={href || undefined}
          className="flex h-full flex-col gap-2 overflow-hidden rounded-card border border-line bg-surface p-5 wrap-anywhere [&[href]]:hover:border-ink"
        >
          {picture && <ProductImage src={picture} sizes="24rem" alt="" loading="lazy" />}
          <span className="font-display text-2xl font-bold">{title}</span>
          <span className="text-quiet">{text}</span>
        </a>
      </li>
    ))}
  </ul>
)

/** Four large figures. */
function Stats({ stats }: Pick<HomeData, 'stats'>) {
  return (
    <section aria-label="Shop statistics" className="page-width pt-14 md:pt-20">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-y-8 border-y-2 border-ink py-8 md:grid-cols-4 md:py-10">
        {stats.map(({ figure, label }, index) => (
          <div
            // oxlint-disable-next-line react/no-array-index-key -- labels may repeat
            key={index}
            className="flex flex-col-reverse justify-end border-line px-4 md:not-first:border-l md:px-8 md:first:pl-0"
          >
            <dt className="text-quiet wrap-anywhere">{label}</dt>
            <dd className="font-display text-[clamp(2.4375rem,6vw,4.5rem)] leading-none font-bold tabular-nums">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
