import { LoadedProduct } from '../features/catalog/loaded-product.tsx'
import { ProductDetail } from '../features/catalog/product-detail.tsx'
import type { PageProps } from '../router/page.ts'
import { LinkButton } from '../ui/button.tsx'

export const meta = () => ({ title: 'Update Product' })

export default function UpdateProduct({ params: { id } }: PageProps<null, 'id'>) {
  return (
    <LoadedProduct id={id} isAny>
      {(product) => (
        <div className="flex flex-col items-start gap-6 py-8 md:py-12">
          <div className="flex w-full flex-wrap items-center justify-between gap-4">
            <a href="/dashboard/manage-products" className="font-semibold text-signal underline">
              Manage Products
            </a>
            <LinkButton href={`/dashboard/edit-product/${id}`} variant="quiet">
              Edit
            </LinkButton>
          </div>
          <ProductDetail key={id} product={product} heading="h1" />
        </div>
      )}
    </LoadedProduct>
  )
}
