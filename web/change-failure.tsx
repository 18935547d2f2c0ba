import { ApiError, isClientError, readMessage } from './api.ts'
import { Alert } from './ui/alert.tsx'

/** Error message of a failed change. If it may have been saved, asks to check before sending again. */
export function readFailure(error: unknown, check: string): string {
  const message = readMessage(error)
  if (isClientError(error)) return message
  return `${message} The change may have been saved. ${check} before you try again.`
}

interface ChangeFailureProps {
  error: unknown
  /** The check before another attempt, such as `Check the stock`. */
  check: string
}

/** Shows the message of `readFailure`, and the messages of the fields. */
export function ChangeFailure({ error, check }: ChangeFailureProps) {
  const { fields } = error instanceof ApiError ? error : { fields: {} }
  return <Alert>{[readFailure(error, check), ...Object.values(fields)].join(' ')}</Alert>
}
