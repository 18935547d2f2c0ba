import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListedProduct } from '../../../contract/product-changes.ts'
import { ApiError } from '../../api.ts'
import { QueryError } from '../../query-error.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { FullSpinner } from '../../ui/spinner.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { anyProductQuery, productQuery } from './queries.ts'

interface LoadedProductProps {
  id: string
  /** For admins: the product may be hidden. */
  isAny?: boolean
  /** Classes around the error message. Default: the dashboard's classes. */
  className?: string
  /** Link to another page, shown if the product does not exist. Default: to Manage Products. */
  action?: ReactNode
  children: (product: ListedProduct, refetch: () => Promise<unknown>) => ReactNode
}

/** Loads a product and renders it with `children`. Explains if it does not exist or cannot be loaded. */
export function LoadedProduct({
  id,
  isAny = false,
  className = 'py-10',
  action = <LinkButton href="/dashboard/manage-products">Manage Products</LinkButton>,
  children,
}: LoadedProductProps) {
  const product = useQuery(isAny ? anyProductQuery(id) : productQuery(id))
  const wasDeleted = product.data?.deletedAt !== undefined
  if (product.data && !wasDeleted) return children(product.data, product.refetch)
  if (!product.isError && !wasDeleted) return <FullSpinner />
  const deleted = wasDeleted || (product.error instanceof ApiError && product.error.status === 404)
  return (
    <div className={className}>
      {deleted ? (
        <EmptyState wholePage title="Product not found" action={action}>
          It may have been removed. Existing orders are not affected.
        </EmptyState>
      ) : (
        <QueryError wholePage title="The product could not be loaded" query={product} />
      )}
    </div>
  )
}
