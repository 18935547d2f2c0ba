/**
 * The process cannot start. The message is one sentence with the cause and the fix.
 * The entry point prints it without a stack and exits with code 1.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupError'
  }
}

/** Returns the code of an error (`EACCES`, `28P01`), or the first line of its message. */
export function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return toReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : (error.message.split('\n')[0] ?? error.name)
}

/** Returns whether an error has this code of the operating system (`ENOENT`) or Postgres (`23505`). */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
