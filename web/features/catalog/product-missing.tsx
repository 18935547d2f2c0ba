import type { ReactNode } from 'react'
import { ApiError, readMessage } from '../../api.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

export interface ProductMissingProps {
  error: unknown
  onRetry: () => void
  /** Link to another page, shown if the product does not exist. */
  action: ReactNode
}

/** Shown instead of a product that does not exist or could not be loaded. */
export function ProductMissing({ error, onRetry, action }: ProductMissingProps) {
  const deleted = error instanceof ApiError && error.status === 404
  if (!deleted) {
    return (
      <ErrorState
        wholePage
        title="The product could not be loaded"
        message={readMessage(error)}
        onRetry={onRetry}
      />
    )
  }
  return (
    <EmptyState wholePage title="Product not found" action={action}>
      It may have been removed. Existing orders are not affected.
    </EmptyState>
  )
}
