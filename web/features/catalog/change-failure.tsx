import { ApiError, readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'

export interface ChangeFailureProps {
  error: unknown
  /** Where to check whether a change without a response was made. */
  checkHint: string
}

/** Error message of a failed change. After a lost response it asks to check before sending again. */
export function ChangeFailure({ error, checkHint }: ChangeFailureProps) {
  const { code, fields } = error instanceof ApiError ? error : { code: null, fields: {} }
  const doubt = `The change may have been saved. Check ${checkHint} before you try again.`
  return (
    <Alert>
      {[readMessage(error), ...Object.values(fields), code === 'NO_ANSWER' && doubt]
        .filter(Boolean)
        .join(' ')}
    </Alert>
  )
}
