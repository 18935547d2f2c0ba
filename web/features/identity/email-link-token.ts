import { useLocation } from '../../router/router.tsx'
import { useHydrated } from '../../ui/hydrated.ts'

/**
 * Returns the token after the `#` of an email link, empty if there is none. Undefined until hydration, because the
 * server never receives it.
 */
export function useEmailLinkToken(): string | undefined {
  const { hash } = useLocation()
  return useHydrated() ? hash.slice(1) : undefined
}
