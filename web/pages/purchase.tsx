import { useQuery } from '@tanstack/react-query'
import { pictureSources } from '../../contract/pictures.ts'
import { ProductMissing } from '../features/catalog/product-missing.tsx'
import { ProductOverview } from '../features/catalog/product-overview.tsx'
import { productQuery } from '../features/catalog/queries.ts'
import { useUser } from '../features/identity/session.ts'
import { PurchaseForm } from '../features/orders/purchase-form.tsx'
import { navigate } from '../router/navigation.ts'
import { type PageProps, pageMeta } from '../router/page.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Picture } from '../ui/picture.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { showToast } from '../ui/toast.ts'

export const meta = () => pageMeta('Purchase')

export default function Purchase({ params }: PageProps<null, 'id'>) {
  const user = useUser()
  const product = useQuery(productQuery(params.id))

  if (product.isError && !product.data) {
    return (
      <div className="page-width py-16">
        <ProductMissing
          error={product.error}
          onRetry={() => void product.refetch()}
          action={<LinkButton href="/products">Browse the products</LinkButton>}
        />
      </div>
    )
  }
  if (!product.data) return <FullSpinner />

  const placed = ({ optionsSaved }: { optionsSaved: boolean }) => {
    showToast('success', 'Order Placed successfully')
    if (!optionsSaved) showToast('warning', 'Your order was placed, but the size and colour were not saved.')
    navigate('/dashboard/my-orders')
  }
  const { name, image, description, quantity, minimum } = product.data
  return (
    <div className="page-width grid gap-8 pt-6 md:grid-cols-2 md:gap-10 md:pt-12 lg:grid-cols-[7fr_5fr] lg:gap-16">
      <div className="flex flex-col gap-6 self-start md:sticky md:top-24">
        <div className="rounded-card border border-line bg-surface p-4 md:p-8">
          <Picture
            src={image}
            sources={pictureSources(image)}
            sizes="(width < 48rem) calc(100vw - 4.125rem), (width < 68.75rem) 45vw, 40rem"
            alt={name}
            fetchPriority="high"
          />
        </div>
        <p className="max-w-text text-lg whitespace-pre-line max-md:hidden">{description}</p>
      </div>
      <div className="flex flex-col gap-8">
        <ProductOverview product={product.data} />
        <p className="whitespace-pre-line md:hidden">{description}</p>
        {quantity < minimum ? (
          <SoldOut left={quantity} minimum={minimum} />
        ) : (
          <PurchaseForm
            key={product.data._id}
            product={product.data}
            user={user}
            onPlaced={placed}
            onOutdated={product.refetch}
          />
        )}
      </div>
    </div>
  )
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
