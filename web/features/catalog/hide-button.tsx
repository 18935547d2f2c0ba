import type { ListedProduct } from '../../../contract/product-changes.ts'
import { readMessage } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useHideProduct } from './queries.ts'

/** Marks a product that customers neither see nor buy. */
export const HiddenMark = ({ product }: { product: { hidden?: boolean | undefined } }) =>
  product.hidden ? (
    <span className="rounded-control bg-shade px-2 py-1 text-sm font-semibold text-quiet">Hidden</span>
  ) : null

/** Hides a product, or shows it again. */
export function HideButton({ product }: { product: ListedProduct }) {
  const { _id } = product
  const hidden = product.hidden === true
  const hide = useHideProduct(_id)
  const toggle = () =>
    hide.mutate(!hidden, {
      onSuccess: () => showToast('success', hidden ? 'Product shown' : 'Product hidden'),
      onError: (error) => showToast('error', readMessage(error)),
    })
  return (
    <div className="flex flex-wrap items-center gap-3">
      <HiddenMark product={product} />
      {hidden && <span className="text-sm text-quiet">Customers cannot see or buy it.</span>}
      <BusyButton variant="quiet" busy={hide.isPending} onClick={toggle}>
        {hidden ? 'Show' : 'Hide'}
      </BusyButton>
    </div>
  )
}
