/**
 * Why the process cannot start, as one plain sentence that says what to do about it.
 * The entry point prints the sentence alone, without a stack, and exits with a failure.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupError'
  }
}

/** What an error says in one line: `EACCES`, `28P01`, or its message where it carries no code. */
export function toReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return toReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const code: unknown = 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : (error.message.split('\n')[0] ?? error.name)
}

/** Whether an error carries this code, of the operating system (`ENOENT`) or of Postgres (`23505`). */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
