import { readMessage } from './api.ts'
import { focusMainIfLost } from './ui/lost-focus.ts'
import { ErrorState } from './ui/states.tsx'

interface QueryErrorProps {
  /** The failed action, as a sentence. */
  title: string
  query: { error: unknown; refetch: () => Promise<unknown> }
  wholePage?: boolean
}

/** Explains a failed query and offers to repeat it. */
export const QueryError = ({ title, query, wholePage = false }: QueryErrorProps) => (
  <ErrorState
    wholePage={wholePage}
    title={title}
    message={readMessage(query.error)}
    onRetry={(press) => {
      const done = query.refetch()
      // The pressed button disappears with the error.
      if (press) void done.finally(focusMainIfLost)
    }}
  />
)
