import { type EmailTextKind, emailTextKinds } from '../../../contract/email-texts.ts'
import type { Errors } from '../../draft.ts'

/** Returns the errors of one email by their field, and the other emails that have errors. */
export function splitErrors(
  kind: EmailTextKind,
  errors: Errors,
): { errors: Errors; others: EmailTextKind[] } {
  const isOf = (name: EmailTextKind) => (path: string) => path.startsWith(`${name}.`)
  const paths = Object.keys(errors)
  const own = Object.entries(errors).filter(([path]) => isOf(kind)(path))
  return {
    errors: Object.fromEntries(own.map(([path, message]) => [path.slice(kind.length + 1), message])),
    others: emailTextKinds.filter((name) => name !== kind && paths.some(isOf(name))),
  }
}
