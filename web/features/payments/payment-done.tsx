import { CheckIcon } from '../../ui/icons.tsx'

/** Confirmation of a paid order. `pending` is true if the server could not be notified yet. */
export function PaymentDone({ transactionId, pending }: { transactionId: string; pending: boolean }) {
  return (
    <div
      role="status"
      className="flex animate-appear flex-col gap-3 rounded-card border-l-4 border-good bg-good-wash p-6"
    >
      <p className="flex items-center gap-2 font-display text-2xl font-bold text-good">
        <CheckIcon className="size-7" />
        Payment Successful..!
      </p>
      <p>
        Trx. Id <strong className="break-all">{transactionId}</strong>
      </p>
      {pending && (
        <p className="text-sm">
          Your payment went through. Your order will be marked as paid shortly. You don't need to do anything.
        </p>
      )}
    </div>
  )
}
