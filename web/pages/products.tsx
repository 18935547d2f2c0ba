import { Fragment } from 'react'
import { productPath } from '../../contract/product.ts'
import { type Chosen, filterNames, productParameters } from '../../contract/product-filters.ts'
import { countLabel } from '../features/catalog/filter.tsx'
import { useLatestChoice } from '../features/catalog/list-choice.ts'
import { listLink } from '../features/catalog/list-links.ts'
import { ProductChips, ProductFilters } from '../features/catalog/product-filters.tsx'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { ProductSearch } from '../features/catalog/product-search.tsx'
import { DemoNotice } from '../features/fit/demo-notice.tsx'
import { OnlyFitting, UseBike } from '../features/fit/on-demand.tsx'
import { isAdmin, useSession } from '../features/identity/session.ts'
import type { LoaderData, loadProducts } from '../loaders/loaders.ts'
import type { PageProps } from '../router/page.ts'
import { Link, usePendingUrl, useSettings } from '../router/router.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { PageHead, SectionHead } from '../ui/page-head.tsx'
import { PagesNav } from '../ui/pages-nav.tsx'
import { EmptyState } from '../ui/states.tsx'

export const parameters = [...productParameters, 'range', 'from', 'to']

type Data = LoaderData<typeof loadProducts>
type ListData = Exclude<Data, string>

const unknownBike = 'Unknown bike'

export const meta = (data: Data) => (data === 'unknown bike' ? { title: unknownBike } : listMeta(data))

const listMeta = ({ title, search, canonical }: ListData) => ({
  title,
  description: search
    ? `${title}: motorcycle parts and gear with prices, minimum orders and stock.`
    : 'All motorcycle parts and gear with prices, minimum orders and stock.',
  canonical,
})

export default function Products({ data }: PageProps<Data>) {
  return data === 'unknown bike' ? <UnknownBike /> : <ProductList data={data} />
}

function ProductList({ data }: { data: ListData }) {
  const { products, total, estimated, facets, page, pages } = data
  const latest = useLatestChoice({ ...data, bike: data.bike?.id })
  const { q, chosen, fit, search } = latest
  const isLoading = usePendingUrl() !== null
  const admin = isAdmin(useSession())
  const filters = countFilters(chosen)
  const isNarrowed =
    countFilters(data.chosen) > 0 || data.q !== '' || data.bike !== null || data.fit.length > 0
  if (total === 0 && !isNarrowed) return <EmptyShop />
  return (
    <div className="page-width">
      <PageHead title="Products" note={<span role="status">{data.note}</span>} />
      <ProductSearch {...latest}>
        <button type="button" popoverTarget="filters" className={`${buttonClass('quiet')} lg:hidden`}>
          Filters{filters > 0 && ` (${filters})`}
        </button>
      </ProductSearch>
      {/* Below the search field, which stays in its place and keeps the focus when the note changes. */}
      <div className="pt-4 max-lg:empty:hidden">
        <BikeNote data={{ ...data, search }} />
      </div>
      {/* The list of another bike has other products: if they are drawn again, none of them moves. */}
      <div key={data.bike?.id} className="pt-4 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:gap-8">
        <ProductFilters counts={facets} chosen={chosen} range={data.range} fit={fit} search={search} />
        <div className="flex min-w-0 flex-col gap-4">
          <ProductChips q={q} chosen={chosen} search={search} />
          <div aria-busy={isLoading} className="transition-opacity aria-busy:opacity-50 aria-busy:delay-250">
            {products.length > 0 || (total === 0 && data.others.some(({ fit }) => fit !== 'misfit')) ? (
              <ProductGrid
                products={products}
                admin={admin}
                bike={data.bikeId}
                heading="h2"
                first
                fit={data.sentence && data.bikeId === null ? 'named' : 'shown'}
              />
            ) : (
              <NothingHere data={data} />
            )}
          </div>
          <Others data={{ ...data, search }} admin={admin} />
          <PagesNav
            page={page}
            pages={pages}
            link={(number) => listLink(data.search, { page: number === 1 ? '' : String(number) })}
          />
          {estimated && page === pages && (
            <p className="text-quiet">
              Only the first results are shown. Add a word or a filter to narrow the list.
            </p>
          )}
          {(data.bike || data.read) && <DemoNotice />}
        </div>
      </div>
    </div>
  )
}

const countFilters = (chosen: Chosen) => filterNames.flatMap((name) => chosen[name] ?? []).length

/** The list without the bike: its fit and its name are ignored, or its name is searched as words. */
const toAnyFit = ({ bike, search, words }: ListData): string =>
  listLink(search, bike ? { q: words, bike: '', fit: '' } : { plain: 'true', fit: '' })

/** Link to the list without the bike. Its state says that the next lists are not for the bike either. */
const AnyBike = ({ data, className }: { data: ListData; className: string }) => (
  <Link href={toAnyFit(data)} state={data.bike && { anyBike: true }} className={className}>
    {data.bike ? 'Show parts for any bike' : `Search for the words “${data.q}”`}
  </Link>
)

/** The bike that the list is for, and how the words of a search were read. */
function BikeNote({ data }: { data: ListData }) {
  const { products, bike, read, models, make, search } = data
  if (models.length > 0) {
    return (
      <>
        <p className="pb-4">
          Your search may name a bike:{' '}
          {models.map(({ make, model, name }, index) => (
            <Fragment key={`${make} ${model}`}>
              {index > 0 && ', '}
              <a href={`/bikes/${make}/${model}`} className={targetClass}>
                {name}
              </a>
            </Fragment>
          ))}
          .
        </p>
        {bike && <NamedBike data={data} name={bike.name} />}
      </>
    )
  }
  if (make) return <MakeNote data={data} make={make} />
  const name = bike?.name ?? read?.name
  if (!name) {
    const isGear = products.every(({ fitKind }) => fitKind === 'gear')
    // No bike narrows a list of gear. A longer list may have parts on its other pages.
    if (data.pages <= 1 && isGear) return null
    return (
      <OnlyFitting
        toList={(id) => listLink(search, { bike: `${id}`, fit: '', plain: '' })}
        opensItself={!isGear}
      />
    )
  }
  return <NamedBike data={data} name={name} />
}

/** The bike that the list is for. */
function NamedBike({ data, name }: { data: ListData; name: string }) {
  const { read, listed, sentence, bikeId: id } = data
  return (
    <div className="flex flex-col gap-1 pb-4">
      {data.sameNumber.length > 0 && <SameNumber data={data} />}
      {read && listed && (
        <p>
          The{' '}
          <a href={`/bikes/${read.make}/${read.model}`} className={inlineTargetClass}>
            {name}
          </a>{' '}
          is listed for {listed}.
        </p>
      )}
      <p>
        {sentence?.before}
        <strong>{name}</strong>
        {sentence?.after} <AnyBike data={data} className={inlineTargetClass} />
      </p>
      {id !== null && <UseBike bike={{ id, name }} />}
      {sentence?.years && (
        <>
          <OwnBike data={data} models={[name]} />
          <p>{sentence.years}</p>
          <Years data={data} />
        </>
      )}
    </div>
  )
}

/** Link to the list for the current bike, if that is one of the models that the words name. */
const OwnBike = ({ data: { search, words }, models }: { data: ListData; models: string[] }) => (
  <OnlyFitting
    toList={(id) => listLink(search, { q: words, bike: `${id}`, fit: '', plain: '' })}
    opensItself={false}
    models={models}
  />
)

const maxModels = 12

/** The make that a search names, with its models. */
function MakeNote({ data, make: { make, name, models, isIgnored, sentence } }: MakeNoteProps) {
  const { q, search } = data
  return (
    <div className="flex flex-col gap-1 pb-4">
      <p>
        {sentence.before}
        <strong>{name}</strong>
        {sentence.after}{' '}
        <Link href={listLink(search, { plain: 'true' })} className={targetClass}>
          Search for the words “{q}”
        </Link>
      </p>
      {!isIgnored && <OwnBike data={data} models={models.map((model) => model.name)} />}
      <p>
        Which {name}?{' '}
        <a href={`/bikes/${make}`} className={targetClass}>
          All models
        </a>
        {models.slice(0, maxModels).map((model) => (
          <Fragment key={model.model}>
            {', '}
            <a href={`/bikes/${model.make}/${model.model}`} className={targetClass}>
              {model.name.slice(name.length + 1)}
            </a>
          </Fragment>
        ))}
      </p>
    </div>
  )
}

interface MakeNoteProps {
  data: ListData
  make: NonNullable<ListData['make']>
}

const othersTitles = {
  some: 'Fits some versions',
  universal: 'Universal parts',
  gear: 'Gear',
  unconfirmed: 'Fit not confirmed',
  misfit: 'Does not fit',
}

/** Products behind the last one that fits the bike or is for the make. */
function Others({ data, admin }: { data: ListData; admin: boolean }) {
  const { others, bike, read, search, q, matching } = data
  const name = bike?.name ?? read?.name
  return others.map(({ fit, products, total, estimated }) => (
    <section key={fit} aria-labelledby={fit} className="pt-6">
      <SectionHead id={fit} title={othersTitles[fit]} />
      {fit === 'some' && (
        <p className="pb-4 text-quiet">
          These fit some versions of the {name}.{' '}
          {bike && !bike.version && (
            <a href={`/bikes/${bike.make}/${bike.model}/${bike.year}`} className={linkClass}>
              Which version do you have?
            </a>
          )}
        </p>
      )}
      {fit === 'unconfirmed' && (
        <p className="pb-4 text-quiet">
          We don't know whether these fit the {name}. Compare the part number.
        </p>
      )}
      <ProductGrid products={products} admin={admin} fit="shown" bike={data.bikeId} />
      {fit === 'misfit' && <AnyBike data={data} className={`${targetClass} mt-4`} />}
      {fit !== 'misfit' && total > products.length && (
        <Link href={listLink(search, { q: data.make ? matching : q, fit })} className={`${targetClass} mt-4`}>
          Show all {countLabel(total, estimated)}
        </Link>
      )}
    </section>
  ))
}

/** Products whose number is the text of the search, which was read as the name of a bike. */
const SameNumber = ({ data: { q, sameNumber } }: { data: ListData }) => (
  <p>
    “{q}” is a part number too:{' '}
    {sameNumber.map((product, index) => (
      <Fragment key={product._id}>
        {index > 0 && ', '}
        <Link href={productPath(product)} className={targetClass}>
          {product.name}
        </Link>
      </Fragment>
    ))}
    .
  </p>
)

/** The same list for each year of a model. */
const Years = ({ data: { read, search } }: { data: ListData }) => (
  <ul className="flex flex-wrap gap-x-4">
    {read?.bikes.map((bike, index) => (
      <li key={bike}>
        <Link
          href={listLink(search, { q: read.rest, bike: `${bike}` })}
          className={`${targetClass} min-w-11 tabular-nums`}
        >
          {read.years[index]}
        </Link>
      </li>
    ))}
  </ul>
)

const linkClass = 'font-semibold text-signal underline'
/** A link that is not in running text. */
const targetClass = `${linkClass} inline-flex min-h-11 items-center pointer-fine:min-h-8`
/** A link in running text. Its padding is for fingers, and does not change the height of the line. */
const inlineTargetClass = `${linkClass} py-3`

function UnknownBike() {
  return (
    <div className="page-width">
      <PageHead title={unknownBike} />
      <EmptyState
        title="We do not have this bike in our list."
        action={<LinkButton href="/bikes">Choose your bike</LinkButton>}
      >
        You can still{' '}
        <Link href="/products" className={linkClass}>
          look at all products
        </Link>{' '}
        and compare the part number.
      </EmptyState>
    </div>
  )
}

/** Replaces the grid. */
function NothingHere({ data }: { data: ListData }) {
  const { hasBikes } = useSettings()
  if (!data.nothing) return null
  const { title, hint, label, href } = data.nothing
  // The words may name a bike that the shop does not have.
  const isUnread = data.total === 0 && data.q !== '' && !data.bike && !data.read && data.models.length === 0
  return (
    <EmptyState
      title={title}
      action={
        <LinkButton href={href} className="py-2 text-center whitespace-normal! wrap-anywhere">
          {label}
        </LinkButton>
      }
    >
      {hint}
      {hasBikes && isUnread && (
        <>
          {' '}
          Or{' '}
          <Link href="/bikes" className={linkClass}>
            choose a motorcycle
          </Link>{' '}
          to see the parts that fit it.
        </>
      )}
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
