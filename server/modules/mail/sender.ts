import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Job } from '../../platform/jobs.ts'
import { compose, type Letter } from './email.ts'
import { type Mailer, MailFailure } from './mailer.ts'
import * as repository from './repository.ts'

/**
 * Writes each kind of letter at the moment when it is sent; null where there is nothing to send to that e-mail. It may be
 * asked for the same letter again, by its id, and has to write the same one: whoever has got it drops the copy.
 */
export type Letters = Record<
  repository.LetterKind,
  (
    tx: Kysely<Database>,
    letter: Pick<repository.DueLetter, 'id' | 'email' | 'subject'>,
  ) => Promise<Letter | null>
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

/** After this, other processes send the emails of a process that died; sending takes half as long at most. */
const leaseMs = 60_000
const batchSize = 5
/** Other processes add emails without waking this one. */
const intervalMs = 10_000

/** Sends the emails of the outbox. Each is claimed by its row, so that several processes send at the same time. */
export const createEmailJob = (deps: SenderDeps): Job => ({
  name: 'send email',
  intervalMs,
  async run(signal) {
    const due = await repository.takeDue(deps.db, { most: batchSize, leaseMs })
    await Promise.all(due.map((letter) => sendOne(deps, letter, signal)))
    return due.length > 0 ? 0 : ((await repository.nextDueIn(deps.db)) ?? intervalMs)
  },
})

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
