import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Slow } from '../../ui/slow.tsx'
import type { useCharges } from './use-charges.ts'

interface ChargesAlertProps {
  id: string
  charges: Pick<ReturnType<typeof useCharges>, 'problem' | 'isLoading' | 'failure' | 'reload'>
}

/** Why the charges of an order are not known, or why nothing can be ordered for its destination. */
export function ChargesAlert({ id, charges: { problem, isLoading, failure, reload } }: ChargesAlertProps) {
  if (isLoading) {
    return (
      // Its gap to the lines above has no height either.
      <div aria-live="polite" className="-mt-4">
        <Slow text="We are still calculating shipping and tax." onRetry={reload} />
      </div>
    )
  }
  return (
    (problem || failure) && (
      <div id={id}>
        <Alert>
          {problem?.message ?? (
            <>
              <p>Shipping could not be calculated. {failure}</p>
              <Button variant="ink" size="small" className="mt-3" onClick={reload}>
                Try again
              </Button>
            </>
          )}
        </Alert>
      </div>
    )
  )
}
