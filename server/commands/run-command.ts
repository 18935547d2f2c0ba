import type { FastifyBaseLogger } from 'fastify'
import { DatabaseError } from 'pg'
import { type Config, readConfig } from '../config/config.ts'
import { ShopError, StartupError } from '../platform/errors.ts'
import { openLog } from '../platform/telemetry/log.ts'

export interface Command {
  config: Config
  log: FastifyBaseLogger
  cleanup: AsyncDisposableStack
  /** Aborted by Ctrl-C and by SIGTERM. */
  signal: AbortSignal
  /** Prints progress, if stdout is a terminal. */
  print: (message: string) => void
}

/**
 * Runs a command. If it fails for a reason that the operator can fix, prints one sentence without a stack and sets exit
 * code 1.
 */
export async function runCommand(work: (command: Command) => Promise<void>): Promise<void> {
  const cleanup = new AsyncDisposableStack()
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
  const print = (message: string) => void (process.stdout.isTTY && process.stdout.write(`${message}\n`))
  try {
    const config = readConfig(process.env)
    const log = openLog(config.logLevel)
    await work({ config, log, cleanup, signal: stopping.signal, print })
  } catch (error) {
    process.stderr.write(`${toMessage(error, stopping.signal)}\n`)
    process.exitCode = 1
  } finally {
    await cleanup.disposeAsync()
  }
}

/**
 * Returns the arguments of the command.
 * @param parse returns null if they are not valid
 * @throws StartupError with the usage if `parse` throws or returns null
 */
export function readArguments<Arguments>(usage: string, parse: () => Arguments | null): Arguments {
  try {
    const found = parse()
    if (found !== null) return found
  } catch (cause) {
    throw new StartupError(usage, { cause })
  }
  throw new StartupError(usage)
}

/** @throws the error itself if the operator cannot fix it */
function toMessage(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'Interrupted. Nothing was changed.'
  if (error instanceof StartupError || error instanceof ShopError) return error.message
  if (error instanceof DatabaseError)
    return `The database returned an error (${error.message}). Nothing was changed.`
  throw error
}
