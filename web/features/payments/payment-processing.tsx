import { ClockIcon } from '../../ui/icons.tsx'

/** Shown while the provider has the payment but has not decided on it. */
export function PaymentProcessing() {
  return (
    <div
      role="status"
      className="flex animate-appear flex-col gap-3 rounded-card border-l-4 border-wait bg-wait-wash p-6"
    >
      <p className="flex items-center gap-2 font-display text-2xl font-bold text-wait">
        <ClockIcon className="size-7" />
        Processing
      </p>
      <p>
        Your payment is being processed. This page updates automatically and you can leave it. You can't pay
        again or cancel the order until it finishes.
      </p>
    </div>
  )
}
