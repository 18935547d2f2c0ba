import type { ReactNode } from 'react'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Shown if a cart has no lines. `logIn` is a link for guests, who may have a cart in their account. */
export const EmptyCart = ({ logIn, children }: { logIn: ReactNode; children: ReactNode }) => (
  <EmptyState
    title="Your cart is empty."
    action={
      <span className="flex flex-wrap gap-3">
        <LinkButton href="/products">Browse the products</LinkButton>
        {logIn}
      </span>
    }
  >
    {children}
  </EmptyState>
)
