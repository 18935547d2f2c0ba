import { type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { withBike } from '../../contract/bike-urls.ts'
import type { Product } from '../../contract/catalog.ts'
import { applyChoice, type ChosenProduct, explainUnavailable, toCartLine } from '../../contract/choice.ts'
import { choiceNames, choiceSearch } from '../../contract/choice-urls.ts'
import type { Replacement } from '../../contract/fitments.ts'
import { formatDollars, multiplyPrice } from '../../contract/money.ts'
import { formatPieces } from '../../contract/pieces.ts'
import { productPath } from '../../contract/product.ts'
import { AddToCart } from '../features/cart/add-to-cart.tsx'
import { ChoiceLinks, focusMissing, useChoice } from '../features/catalog/choice-links.tsx'
import { GearSection } from '../features/catalog/gear-section.tsx'
import { ProductGrid } from '../features/catalog/product-grid.tsx'
import { ProductOverview } from '../features/catalog/product-overview.tsx'
import { ProductPictures } from '../features/catalog/product-pictures.tsx'
import { ProductTrail } from '../features/catalog/product-trail.tsx'
import { asksForBike, FitBadge } from '../features/fit/on-demand.tsx'
import { FitmentSection } from '../features/fitment/fitment-section.tsx'
import { useBikeInUrl } from '../features/garage/bar.tsx'
import { isAdmin, useSession } from '../features/identity/session.ts'
import type { LoaderData, loadProduct } from '../loaders/loaders.ts'
import type { PageProps } from '../router/page.ts'
import { useHydrated, useLocation, useSettings } from '../router/router.tsx'
import { describeReturns } from '../texts.ts'
import { controlClass, LinkButton } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { SectionHead } from '../ui/page-head.tsx'
import { EmptyState } from '../ui/states.tsx'

/** The choice of a variant. */
export const parameters = choiceNames

type Data = LoaderData<typeof loadProduct>

export const meta = (data: Data) => {
  if (!('product' in data)) return { title: 'Product not found' }
  const { product } = data
  return { title: product.name, description: productSummary(product), canonical: productPath(product) }
}

export default function ProductPage({ data }: PageProps<Data>) {
  const admin = isAdmin(useSession())
  const choice = useChoice()
  const bike = useBikeInUrl()
  const { returnDays } = useSettings()
  if (!('product' in data)) return <Missing {...data.missing} replacedBy={data.replacedBy} />
  const { related, delivery, fit, details, rows } = data
  const chosen = applyChoice(data.product, choice)
  const { product } = chosen
  return (
    // On a phone all of it is one column, so that the bar at its end stays in view.
    <div className="page-width max-md:flex max-md:flex-col max-md:gap-4">
      <ProductTrail product={product} />
      <div className="grid max-md:contents md:grid-cols-2 md:grid-rows-[auto_1fr] md:gap-10 lg:grid-cols-[7fr_5fr] lg:gap-16">
        {/* As wide as the page before the picture is loaded. */}
        <div className="w-full self-start">
          <ProductPictures
            key={product._id}
            product={data.product}
            image={product.image}
            colour={chosen.colour}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-6 max-md:contents md:row-span-2">
          <ProductOverview product={product} noStock="None">
            {asksForBike(product, fit.total) && (
              <FitBadge product={product} bikesHref={fit.total > 0 ? '#bikes' : undefined} />
            )}
          </ProductOverview>
          <Buying key={product._id} chosen={chosen} bike={bike} admin={admin} />
          <DescriptionList
            items={[
              { name: 'Delivery', value: delivery },
              { name: 'Returns', value: product.returns || describeReturns(returnDays) },
            ]}
          />
          {product.sizeChart && (
            <GearSection key={product._id} section="SizeChartSection" product={data.product} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <p className="max-w-text text-lg wrap-anywhere whitespace-pre-line">{product.description}</p>
          <DescriptionList
            items={[...details.map(({ name, label }) => ({ name: label, value: product[name] })), ...rows]}
          />
          {(product.certificates || product.manufacturer) && (
            <GearSection key={product._id} section="SafetySection" product={data.product} />
          )}
        </div>
      </div>
      {(fit.total > 0 || product.partNumbers || product.replacedBy || product.replaces) && (
        <FitmentSection key={product._id} product={product} fit={fit} />
      )}
      {related.length > 0 && (
        <section aria-labelledby="related" className="pt-14 md:pt-20">
          <SectionHead id="related" title={`More ${product.kind?.toLowerCase()}`} />
          <ProductGrid products={related} admin={admin} bike={bike} fit="shown" />
        </section>
      )}
    </div>
  )
}

interface BuyingProps {
  chosen: ChosenProduct
  /** The bike in the URL. */
  bike: number | null
  admin: boolean
}

/** Choice, quantity and the two ways to buy: on a phone in a bar that stays in view. */
function Buying({ chosen, bike, admin }: BuyingProps) {
  const { _id, options, quantity: stock, minimum, price, from } = chosen.product
  const [quantity, setQuantity] = useState(`${minimum}`)
  const [isAsked, setAsked] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const availabilityId = useId()
  useLayoutEffect(() => {
    // The rider may have typed before the page was hydrated. The next render would reset the field.
    if (input.current) setQuantity(input.current.value)
  }, [])
  const { hash } = useLocation()
  // The buyer was sent here to choose, see `missingHash`. The server does not know the hash, and the links of the choice drop it.
  if (useHydrated() && !isAsked && hash.startsWith('#choose-')) setAsked(true)
  const isEnough = options === 'variants' || stock >= minimum
  const isUnavailable = explainUnavailable(chosen) !== null
  const unavailableId = isUnavailable ? availabilityId : undefined

  /** Whether size, colour and quantity are chosen. Asks for what is missing. */
  const isReady = () => {
    setAsked(true)
    if (chosen.missing.length === 0) return input.current?.reportValidity() === true
    focusMissing(chosen)
    return false
  }
  const pieces = +quantity
  const isPossible = pieces % 1 === 0 && pieces >= minimum && pieces <= stock
  const search = new URLSearchParams(choiceSearch(chosen))
  if (isPossible && pieces !== minimum) search.set('quantity', quantity)
  return (
    <>
      <ChoiceLinks chosen={chosen} availabilityId={availabilityId} bike={bike} isAsked={isAsked} />
      {admin ? (
        <LinkButton href={`/dashboard/update-product/${_id}`} size="large">
          Update
        </LinkButton>
      ) : isEnough ? (
        <>
          <label className="flex items-center gap-4 text-sm font-semibold">
            Quantity
            <input
              ref={input}
              type="number"
              inputMode="numeric"
              required
              min={minimum}
              max={stock}
              value={quantity}
              className={`${controlClass} h-11 max-w-24 tabular-nums`}
              onChange={(event) => setQuantity(event.target.value)}
            />
          </label>
          <div
            className="sticky bottom-0 z-1 page-bar flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t
              border-line bg-paper py-3 max-md:order-last low:static low:order-none md:static md:m-0 md:block md:border-0
              md:p-0"
          >
            <p className="md:hidden">
              <span className="block text-sm text-quiet">{from ? 'From' : 'Total'}</span>
              <output className="font-display text-2xl font-bold tabular-nums">
                {isPossible ? formatDollars(multiplyPrice(price, pieces)) : '–'}
              </output>
            </p>
            {/* Its height is reserved, because a line below the buttons confirms what was added. */}
            <div className="max-md:grow max-md:basis-56 md:min-h-21">
              <AddToCart
                key={choiceSearch(chosen)}
                product={chosen.product}
                getLine={() => (isReady() ? toCartLine(chosen, pieces) : null)}
                unavailableId={unavailableId}
              >
                <LinkButton
                  href={
                    isUnavailable
                      ? undefined
                      : withBike(`/purchase/${_id}?${search}`.replace(/\?$/, ''), bike)
                  }
                  aria-describedby={unavailableId}
                  size="large"
                  className="max-md:px-3"
                  onClick={(event: MouseEvent) => !isUnavailable && !isReady() && event.preventDefault()}
                >
                  Buy Now
                </LinkButton>
              </AddToCart>
            </div>
          </div>
        </>
      ) : (
        <p className="rounded-card border border-dashed border-edge p-4 font-semibold">
          Out of stock
          {stock > 0 && `. Only ${formatPieces(stock)} left. The minimum order is ${formatPieces(minimum)}.`}
        </p>
      )}
    </>
  )
}

interface MissingProps {
  title: string
  text: string
  replacedBy?: Replacement | undefined
}

/** Replaces the page of a product that is not for sale, or that never existed. */
function Missing({ title, text, replacedBy }: MissingProps) {
  return (
    <div className="page-width py-16">
      <EmptyState
        wholePage
        title={title}
        action={
          <LinkButton href={replacedBy ? productPath(replacedBy) : '/products'}>
            {replacedBy ? `Replaced by ${replacedBy.name}` : 'Browse the products'}
          </LinkButton>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}

/** Number of characters that search engines show of a description. */
const maxSummaryLength = 160

/** One-line description for search engines and link previews. Starts with the name and the part number. */
export function productSummary({ name, sku, description }: Product): string {
  const line = `${name}${sku ? `, ${sku}` : ''}: ${description}`.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxSummaryLength) return line
  const wordsEnd = line.lastIndexOf(' ', maxSummaryLength)
  // Chinese has no spaces, so cut it between any two characters.
  const start = wordsEnd > maxSummaryLength / 2 ? line.slice(0, wordsEnd) : line.slice(0, maxSummaryLength)
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}…`
}
