import { ArrowIcon } from '../../ui/icons.tsx'

export interface ProductActionProps {
  productId: string
  /** Admins update the product; all others buy it. */
  admin: boolean
  titleId: string
}

/** Action of a product card. Both variants have the same size, so swapping them causes no layout shift. */
export function ProductAction({ productId, admin, titleId }: ProductActionProps) {
  return (
    <a
      href={admin ? `/dashboard/update-product/${productId}` : `/purchase/${productId}`}
      aria-describedby={titleId}
      className="relative flex min-h-12 items-center justify-between border-t border-line bg-shade px-4 font-display text-lg
        font-semibold tracking-wide transition-colors -outline-offset-3 hover:bg-signal hover:text-white
        focus-visible:bg-signal focus-visible:text-white focus-visible:outline-ink"
    >
      {admin ? 'Update' : 'Buy Now'}
      <ArrowIcon className="size-5 text-signal transition-transform group-hover:translate-x-0.5 [a:hover>&]:text-white [a:focus-visible>&]:text-white" />
    </a>
  )
}
