import { Link, useLocation } from '../../router/router.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { toReturnState } from './session.ts'

/** Link to the login, which returns to this page. It looks like a button unless it has another class. */
export function LogInLink({ className = buttonClass() }: { className?: string }) {
  const location = useLocation()
  return (
    <Link href="/login" state={toReturnState(location)} className={className}>
      Log in
    </Link>
  )
}

/** Offers a guest who has a cart to log in. */
export const LogInWithCart = () => (
  <p>
    Already have an account? <LogInLink className="font-semibold text-signal underline" /> and your cart comes
    with you.
  </p>
)
