import { useSettings } from '../../router/router.tsx'
import { LinkButton } from '../../ui/button.tsx'

interface AfterPaymentProps {
  /** Where the emails go: for the order of an account its present email, which may have changed since. */
  email: string
  /** Whether the buyer collects the order. */
  pickup: boolean | undefined
  /** A page that shows the order, if this one does not. */
  orderUrl?: string
}

/** The next steps after a payment. */
export function AfterPayment({ email, pickup = false, orderUrl }: AfterPaymentProps) {
  const { mail } = useSettings()
  const next = pickup ? 'is ready for pickup' : 'ships'
  return (
    <section aria-label="Next" className="flex flex-col gap-4">
      {mail === 'off' ? (
        <p>We're preparing your order. Its page shows when it {next}.</p>
      ) : (
        <p>
          Your receipt goes to <strong className="break-all">{email}</strong>. We'll email you when your order{' '}
          {next}.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/products">Continue shopping</LinkButton>
        {orderUrl && (
          <LinkButton variant="quiet" href={orderUrl}>
            View your order
          </LinkButton>
        )}
      </div>
    </section>
  )
}
