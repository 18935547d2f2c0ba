import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import type { useCharges } from './use-charges.ts'

interface ChargesAlertProps {
  id: string
  charges: Pick<ReturnType<typeof useCharges>, 'problem' | 'failure' | 'reload'>
}

/** Why the charges of an order are not known, or why nothing can be ordered for its destination. */
export const ChargesAlert = ({ id, charges: { problem, failure, reload } }: ChargesAlertProps) =>
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
