import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { compose, type Letter } from './letter.ts'
import { type Mailer, MailFailure } from './mailer.ts'
import * as repository from './repository.ts'

/**
 * Writes each kind of letter at the moment when it is sent; null where there is nothing to send to that e-mail. It may be
 * asked for the same letter again, by its id, and has to write the same one: whoever has got it drops the copy.
 */
export type Letters = Record<
  repository.LetterKind,
  (tx: Kysely<Database>, letter: Pick<repository.DueLetter, 'id' | 'email'>) => Promise<Letter | null>
>

export interface SenderLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface SenderDeps {
  db: Kysely<Database>
  mailer: Mailer
  letters: Letters
  log: SenderLog
  /** Milliseconds until the next try, after so many that failed. */
  retryDelayMs: (attempts: number) => number
}

/** Sends what the outbox holds, also what an earlier process left there. */
export interface Sender {
  /** There may be something new to send. */
  wake(): void
  /** Finishes what is under way, or breaks it off after a while; nothing runs after it resolves. */
  close(): Promise<void>
}

/** A process that dies while it sends leaves the letter to the others after this; sending takes half as long at most. */
const leaseMs = 60_000
const atOnce = 5
/** How often to look for what other processes left behind. */
const idleMs = 10_000
const graceMs = 2_000

export function openSender(deps: SenderDeps): Sender {
  const breakOff = new AbortController()
  let closing = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null
  let wokenMeanwhile = false

  function wake(): void {
    if (closing) return
    wokenMeanwhile = round !== null
    if (round) return
    clearTimeout(timer)
    round = sendDue(deps, () => closing, breakOff.signal).then(rest)
  }

  function rest(waitMs: number): void {
    round = null
    if (closing) return
    timer = setTimeout(wake, wokenMeanwhile ? 0 : waitMs).unref()
    wokenMeanwhile = false
  }

  wake()
  return {
    wake,
    async close() {
      closing = true
      clearTimeout(timer)
      const patience = setTimeout(() => breakOff.abort(), graceMs)
      await round
      clearTimeout(patience)
    },
  }
}

/** @returns in how many milliseconds to look again */
async function sendDue(deps: SenderDeps, isClosing: () => boolean, signal: AbortSignal): Promise<number> {
  try {
    while (!isClosing()) {
      const due = await repository.takeDue(deps.db, { most: atOnce, leaseMs })
      if (due.length === 0) return Math.min((await repository.nextDueIn(deps.db)) ?? idleMs, idleMs)
      await Promise.all(due.map((letter) => sendOne(deps, letter, signal)))
    }
  } catch (error) {
    deps.log.error({ err: error }, 'the outbox could not be read; trying again')
  }
  return idleMs
}

/** Never rejects, so that one letter does not keep the others from being waited for. */
async function sendOne(deps: SenderDeps, due: repository.DueLetter, signal: AbortSignal): Promise<void> {
  const { db, mailer, log } = deps
  const { id, kind, email, attempts } = due
  try {
    const isOver = due.expires_at < new Date()
    if (isOver)
      log.error({ letter: id, kind, attempts }, 'a letter is worth nothing any more, and was given up')
    const letter = isOver ? null : await write(deps, due)
    if (letter) await mailer.send(compose(letter, { id, to: email }), signal)
    await repository.removeLetter(db, due)
  } catch (error) {
    await noteFailure(deps, due, error).catch((failure: unknown) =>
      log.error({ err: failure, letter: id, kind }, 'it could not be noted that a letter was not sent'),
    )
  }
}

const write = ({ db, letters }: SenderDeps, due: repository.DueLetter): Promise<Letter | null> =>
  db
    .transaction()
    .execute(async (tx) => ((await repository.holdLetter(tx, due)) ? letters[due.kind](tx, due) : null))

async function noteFailure(deps: SenderDeps, due: repository.DueLetter, error: unknown): Promise<void> {
  const { db, log, retryDelayMs } = deps
  const { id: letter, kind, attempts } = due
  if (!(error instanceof MailFailure)) {
    log.error({ err: error, letter, kind }, 'a letter could not be written; trying again')
  } else if (error.isFinal) {
    log.warn({ letter, kind, reason: error.message }, 'there is no such mailbox: a letter was given up')
    return repository.removeLetter(db, due)
  } else {
    log.warn({ letter, kind, attempts, reason: error.message }, 'a letter could not be sent; trying again')
  }
  await repository.postponeLetter(db, due, retryDelayMs(attempts))
}
