import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { hourMs, type RunningJob, startJob } from '../../platform/jobs.ts'
import type { Mailer } from './mailer.ts'
import { type LetterKind, queueLetter, withdrawLetter } from './repository.ts'
import { createEmailJob, type Letters, type SenderLog } from './sender.ts'

export type { Letter } from './email.ts'
export type { Mailer } from './mailer.ts'
export type { LetterKind } from './repository.ts'
export type { Letters } from './sender.ts'
export { openSmtpMailer, type SmtpSettings } from './smtp.ts'

/** Where the shop's letters wait. */
export interface Outbox {
  /** Puts a letter in, within the caller's transaction; the e-mail in lower case. `subject` is the order's id, if the letter is about an order. Wake the sender after it. */
  queue(db: Kysely<Database>, kind: LetterKind, email: string, subject?: string): Promise<void>
  /**
   * Takes back what may still be sent, or sent once more, within the caller's transaction: before whatever else that
   * changes, because who writes a letter holds it first.
   */
  withdraw(db: Kysely<Database>, kind: LetterKind, email: string): Promise<void>
  /** Sends at once what is new, instead of within ten seconds. */
  wake(): void
}

export interface Mail {
  outbox: Outbox
  /** Begins to send; the letters are written by who knows what to say. */
  start(letters: Letters): void
  close(): Promise<void>
}

export interface MailOptions {
  db: Kysely<Database>
  mailer: Mailer
  log: SenderLog
  retryDelayMs?: (attempts: number) => number
}

/** For how long a letter is worth sending: not longer than what it tells is true. */
const worth: Record<LetterKind, number> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'password-changed': 72 * hourMs,
  'order-expired': 72 * hourMs,
}

/** After 5 s, then twice as long each time, up to 5 minutes. */
const patience = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 300_000)

/** Mail of the shop, by SMTP or into the demo's mailbox. Any number of processes may share the outbox. */
export function openMail({ db, mailer, log, retryDelayMs = patience }: MailOptions): Mail {
  let job: RunningJob | null = null
  return {
    outbox: {
      queue: (tx, kind, email, subject = '') =>
        queueLetter(tx, { kind, email, subject, worthMs: worth[kind] }),
      withdraw: (tx, kind, email) => withdrawLetter(tx, { kind, email }),
      wake: () => job?.wake(),
    },
    start(letters) {
      job = startJob(createEmailJob({ db, mailer, letters, log, retryDelayMs }), log)
    },
    close: async () => job?.stop(),
  }
}
