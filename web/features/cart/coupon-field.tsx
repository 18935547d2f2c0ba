import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import type { useCharges } from './use-charges.ts'

type CouponFieldProps = ReturnType<typeof useCharges>['coupon']

/** The discount code of an order. */
export function CouponField({ code, state, typed, error, type, apply, remove }: CouponFieldProps) {
  const id = useId()
  const isChecking = code !== undefined && state === 'checking'
  const [isField, setField] = useState(code === undefined)
  // The field stays until its code is accepted: a screen reader announces an error only in an element that was there.
  const isNextField = code === undefined || (isField && isChecking)
  if (isNextField !== isField) setField(isNextField)
  /** Whether a button was pressed, which may disappear with the focus. */
  const [isPressed, setPressed] = useState(false)
  const ref = isPressed ? focusIfLost : undefined
  const press = (change: () => void) => {
    setPressed(true)
    change()
  }
  return (
    <div role="group" aria-labelledby={id}>
      <span id={id} className="sr-only">
        Discount
      </span>
      {/* Announces the code that applies. */}
      <p aria-live="polite" className="flex items-center justify-between gap-4 empty:hidden">
        {!isNextField && (
          <>
            <span ref={ref} tabIndex={-1} className="min-w-0 wrap-anywhere">
              {state === 'checking' ? 'Checking' : 'Code'} <strong>{code}</strong>
              {state === 'applied' && ' applied.'}
              {state === 'waiting' && ': enter your address to see the discount.'}
            </span>
            <Button variant="quiet" size="small" onClick={() => press(remove)}>
              Remove<span className="sr-only"> the code</span>
            </Button>
          </>
        )}
      </p>
      {isNextField && (
        <div className="flex items-start gap-3">
          <TextField
            ref={ref}
            label="Discount code (optional)"
            readOnly={isChecking}
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
              if (!isChecking) press(apply)
            }}
          />
          {/* `ChargesAlert` has the sentence about a slow shop. */}
          <Button variant="quiet" className="mt-6 h-12" busy={isChecking} onClick={() => press(apply)}>
            Apply
          </Button>
        </div>
      )}
    </div>
  )
}
