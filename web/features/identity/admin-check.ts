import { useQuery } from '@tanstack/react-query'
import { call } from '../../api.ts'
import { useUser } from './session.ts'

export type AdminCheck =
  | { status: 'admin' }
  | { status: 'not-admin' }
  | { status: 'checking' }
  | { status: 'failed'; error: unknown; retry: () => void }

/**
 * Checks whether the signed-in user is an admin, and asks the server if the session has no admin role. Trusting the
 * session is safe, because the server checks the role on every call.
 */
export function useAdminCheck(): AdminCheck {
  const user = useUser()
  const known = user.role === 'admin'
  const fresh = useQuery({
    queryKey: ['role', user.email],
    queryFn: ({ signal }) => call('getUser', { query: { email: user.email }, signal }),
    enabled: !known,
    staleTime: 0,
    gcTime: 0,
  })
  if (known) return { status: 'admin' }
  if (fresh.isFetching) return { status: 'checking' }
  if (fresh.isSuccess) return { status: fresh.data.role === 'admin' ? 'admin' : 'not-admin' }
  if (fresh.isError) return { status: 'failed', error: fresh.error, retry: () => void fresh.refetch() }
  return { status: 'checking' }
}
