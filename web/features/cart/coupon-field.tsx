import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import type { useCharges } from './use-charges.ts'

type CouponFieldProps = ReturnType<typeof useCharges>['coupon']

/** The discount code of an order. */
export function CouponField({ code, state, typed, error, type, apply, remove }: CouponFieldProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className="sr-only">
        Discount
      </span>
      {/* Announces the code that applies. */}
      <p aria-live="polite" className="flex items-center justify-between gap-4 empty:hidden">
        {code !== undefined && (
          <>
            <span className="min-w-0 wrap-anywhere">
              {state === 'checking' ? 'Checking' : 'Code'} <strong>{code}</strong>
              {state === 'applied' && ' applied.'}
              {state === 'waiting' && ': enter your address to see the discount.'}
            </span>
            <Button variant="quiet" size="small" onClick={remove}>
              Remove<span className="sr-only"> the code</span>
            </Button>
          </>
        )}
      </p>
      {code === undefined && (
        <div className="flex items-start gap-3">
          <TextField
            label="Discount code (optional)"
            className="min-w-0 grow"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={60}
            value={typed}
            error={error}
            onChange={(event) => type(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter in a form would place the order.
              event.preventDefault()
              apply()
            }}
          />
          <Button variant="quiet" className="mt-6 h-12" onClick={apply}>
            Apply
          </Button>
        </div>
      )}
    </div>
  )
}
