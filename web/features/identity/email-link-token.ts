import { useLocation } from '../../router/router.tsx'
import { useHydrated } from '../../ui/hydrated.ts'

/**
 * The secret that a letter's link carries behind its `#`, empty if there is none. The server never sees it, so it is
 * undefined until the page has come to life.
 */
export function useEmailLinkToken(): string | undefined {
  const { hash } = useLocation()
  return useHydrated() ? hash.slice(1) : undefined
}
