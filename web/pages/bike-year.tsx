import { BikeTrail } from '../features/bikes/bike-trail.tsx'
import { LinkList } from '../features/bikes/link-list.tsx'
import { MissingBike } from '../features/bikes/missing-bike.tsx'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import { UseBike } from '../features/fit/on-demand.tsx'
import { useGarage } from '../features/garage/stored-garage.ts'
import { isAdmin, useSession } from '../features/identity/session.ts'
import type { LoaderData, loadBikeYear } from '../loaders/bikes.ts'
import type { PageProps } from '../router/page.ts'
import { useHydrated } from '../router/router.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHead, SectionHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

type Data = LoaderData<typeof loadBikeYear>

export const meta = (data: Data) =>
  data === null
    ? { title: 'Bike not found' }
    : {
        title: `Parts for the ${data.bike.name}`,
        description: `Parts that fit the ${data.bike.name}: ${data.total.toLocaleString('en-US')}.`,
        // Without a part the page is not indexed.
        canonical: data.total > 0 ? data.path : undefined,
      }

export default function BikeYear({ data }: PageProps<Data>) {
  const admin = isAdmin(useSession())
  const isHydrated = useHydrated()
  const { current } = useGarage()
  if (data === null) return <MissingBike />
  const { bike, versions, kinds, products, total, some } = data
  // Prefer the rider's own version.
  const own = versions.find(({ id }) => id === current)
  const list = (more: Record<string, string> = {}) =>
    `/products?${new URLSearchParams({ bike: `${bike.id}`, ...more })}`
  return (
    <div className="page-width flex flex-col gap-6 pb-12">
      <BikeTrail trail={data.trail} />
      <PageHead
        title={`Parts for the ${bike.name}`}
        note={total > 0 && `${total.toLocaleString('en-US')} ${total === 1 ? 'part fits' : 'parts fit'}.`}
      />
      <UseBike bike={own ?? bike} />
      {total > 0 ? (
        <>
          {kinds.length > 0 && (
            <section aria-labelledby="kinds">
              <SectionHead id="kinds" title="Kinds of parts" />
              <LinkList
                links={kinds.map(({ kind, count }) => ({
                  path: list({ kind }),
                  name: kind,
                  note: count.toLocaleString('en-US'),
                }))}
              />
            </section>
          )}
          <section aria-labelledby="parts" className="pt-6">
            <SectionHead id="parts" title="Parts that fit">
              <a href={list()} className="flex min-h-11 items-center font-semibold text-signal underline">
                View all
              </a>
            </SectionHead>
            {/* Crawlers get links without `?bike=`. */}
            <ProductGrid
              products={products}
              admin={admin}
              bike={isHydrated && !own ? bike.id : null}
              fit="shown"
            />
          </section>
        </>
      ) : (
        <EmptyState
          title={`No parts are confirmed to fit the ${bike.name}`}
          action={<LinkButton href="/products">Browse the products</LinkButton>}
        >
          You can still order: compare the part number or the dimensions.
        </EmptyState>
      )}
      {some > 0 && (
        <p>
          <a
            href={list({ fit: 'some' })}
            className="inline-flex min-h-11 items-center font-semibold text-signal underline"
          >
            Fits some versions ({some.toLocaleString('en-US')})
          </a>
        </p>
      )}
      {versions.length > 0 && (
        <section aria-labelledby="versions" className="pt-6">
          <SectionHead id="versions" title="Versions" />
          <LinkList
            links={versions.map(({ id, version }) => ({ path: `/products?bike=${id}`, name: version }))}
          />
        </section>
      )}
      <DemoNotice />
    </div>
  )
}
