import { useEffect, useId, useState } from 'react'
import { withBike } from '../../contract/bikes.ts'
import type { Product } from '../../contract/catalog.ts'
import { applyChoice, type Choice, choiceSearch, explainUnavailable } from '../../contract/choice.ts'
import { AddToCart } from '../features/cart/add-to-cart.tsx'
import { ChoiceLinks, useChoice } from '../features/catalog/choice-links.tsx'
import { LoadedProduct } from '../features/catalog/loaded-product.tsx'
import { ProductOverview, ProductPicture } from '../features/catalog/product-overview.tsx'
import { checkFit } from '../features/fit/on-demand.tsx'
import { useBikeInUrl } from '../features/garage/bar.tsx'
import { useUser } from '../features/identity/session.ts'
import { readPurchase } from '../features/orders/place-order.ts'
import { PurchaseForm } from '../features/orders/purchase-form.tsx'
import { navigate } from '../router/navigation.ts'
import type { PageProps } from '../router/page.ts'
import { useLocation } from '../router/router.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Purchase' })

export default function Purchase({ params }: PageProps<null, 'id'>) {
  return (
    <LoadedProduct
      id={params.id}
      className="page-width py-16"
      action={<LinkButton href="/products">Browse the products</LinkButton>}
    >
      {(product, refetch) => <LoadedPurchase key={product._id} present={product} refetch={refetch} />}
    </LoadedProduct>
  )
}

function LoadedPurchase({ present, refetch }: { present: Product; refetch: () => Promise<unknown> }) {
  const user = useUser()
  const availabilityId = useId()
  const [unanswered, setUnanswered] = useState(() => readPurchase(present._id, user._id))
  // An order without an answer may have taken the last piece: it can be sent again as long as it has none.
  const loaded = unanswered?.product ?? present
  const bike = useBikeInUrl()
  const chosen = useChosen(loaded, unanswered?.choice, bike)
  const { product } = chosen
  const placed = ({ optionsSaved }: { optionsSaved: boolean }) => {
    showToast('success', 'Order Placed successfully')
    if (!optionsSaved) showToast('warning', 'Your order was placed, but the size and colour were not saved.')
    navigate('/dashboard/my-orders')
  }
  const failed = () => {
    const sent = readPurchase(present._id, user._id)
    setUnanswered(sent)
    // The product may have changed.
    void refetch()
    return sent !== null
  }
  return (
    <div className="page-width grid gap-8 pt-6 md:grid-cols-2 md:gap-10 md:pt-12 lg:grid-cols-[7fr_5fr] lg:gap-16">
      <div className="flex flex-col gap-6 self-start md:sticky md:top-32">
        <ProductPicture product={product} />
        <p className="max-w-text text-lg whitespace-pre-line max-md:hidden">{product.description}</p>
      </div>
      <div className="flex flex-col gap-8">
        <ProductOverview product={product} />
        <p className="whitespace-pre-line md:hidden">{product.description}</p>
        {loaded.quantity < loaded.minimum ? (
          <SoldOut left={loaded.quantity} minimum={loaded.minimum} />
        ) : (
          <>
            {product.options === 'variants' && (
              <ChoiceLinks
                chosen={chosen}
                availabilityId={availabilityId}
                bike={bike}
                isFixed={unanswered !== null}
              />
            )}
            <PurchaseForm
              loaded={loaded}
              chosen={chosen}
              availabilityId={availabilityId}
              user={user}
              unanswered={unanswered}
              checkFit={() => checkFit(loaded, 'Order anyway')}
              onPlaced={placed}
              onFailed={failed}
              actions={(placeOrder, getLine) => (
                <AddToCart
                  key={choiceSearch(chosen)}
                  product={loaded}
                  getLine={getLine}
                  unavailableId={explainUnavailable(chosen) ? availabilityId : undefined}
                >
                  {placeOrder}
                </AddToCart>
              )}
            />
          </>
        )}
      </div>
    </div>
  )
}

/**
 * The product with the choice of the URL, or with the one that was sent. A preselected variant is written to the URL, so
 * that it stays chosen.
 */
function useChosen(product: Product, sent: Choice | undefined, bike: number | null) {
  const { state } = useLocation()
  const wanted = useChoice()
  const chosen = applyChoice(product, sent ?? wanted)
  const chosenSearch = choiceSearch(chosen)
  const isPreselected = product.options === 'variants' && chosenSearch !== choiceSearch(wanted)
  useEffect(() => {
    if (!isPreselected) return
    navigate(withBike(chosenSearch, bike) || '?', { replace: true, keepScroll: true, state })
  }, [isPreselected, chosenSearch, bike, state])
  return chosen
}

function SoldOut({ left, minimum }: { left: number; minimum: number }) {
  return (
    <EmptyState title="Out of stock" action={<LinkButton href="/products">Browse the products</LinkButton>}>
      {left === 0
        ? 'This product is currently sold out.'
        : `Only ${left} pcs left. The minimum order is ${minimum} pcs.`}
    </EmptyState>
  )
}
