import { ApiError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'

export interface ChangeFailureProps {
  error: unknown
  /** Where to look whether a change has arrived whose answer never came. */
  checkHint: string
}

/** Why something was not changed, and how to go on without doing it twice. */
export function ChangeFailure({ error, checkHint }: ChangeFailureProps) {
  const { code, fields } = error instanceof ApiError ? error : { code: null, fields: {} }
  const doubt = `It may have been changed all the same: look ${checkHint} before you send it again.`
  return (
    <Alert>
      {[readMessage(error), ...Object.values(fields), code === 'NO_ANSWER' && doubt]
        .filter(Boolean)
        .join(' ')}
    </Alert>
  )
}
