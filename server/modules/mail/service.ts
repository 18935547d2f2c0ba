import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { hourMs, type RunningJob, startJob } from '../../platform/jobs.ts'
import type { Mailer } from './mailer.ts'
import { cancelEmail, type EmailKind, enqueueEmail } from './repository.ts'
import { createEmailJob, type EmailRenderers, type SenderLog } from './sender.ts'

export type { EmailContent } from './email.ts'
export type { Mailer } from './mailer.ts'
export type { EmailKind } from './repository.ts'
export type { EmailRenderers } from './sender.ts'
export { openSmtpMailer, type SmtpSettings } from './smtp.ts'

/** Where the shop's letters wait. */
export interface Outbox {
  /** Puts a letter in, within the caller's transaction; the email in lower case. `subject` is the order's id, if the letter is about an order. Wake the sender after it. */
  enqueue(db: Kysely<Database>, kind: EmailKind, email: string, subject?: string): Promise<void>
  /**
   * Takes back what may still be sent, or sent once more, within the caller's transaction: before whatever else that
   * changes, because who writes a letter holds it first.
   */
  cancel(db: Kysely<Database>, kind: EmailKind, email: string): Promise<void>
  /** Sends at once what is new, instead of within ten seconds. */
  wake(): void
}

export interface Mail {
  outbox: Outbox
  /** Begins to send; the letters are written by who knows what to say. */
  start(emails: EmailRenderers): void
  close(): Promise<void>
}

export interface MailOptions {
  db: Kysely<Database>
  mailer: Mailer
  log: SenderLog
  retryDelayMs?: (attempts: number) => number
}

/** For how long a letter is worth sending: not longer than what it tells is true. */
const emailTtlMs: Record<EmailKind, number> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'password-changed': 72 * hourMs,
  'order-expired': 72 * hourMs,
}

/** After 5 s, then twice as long each time, up to 5 minutes. */
const getRetryDelayMs = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 300_000)

/** Mail of the shop, by SMTP or into the demo's mailbox. Any number of processes may share the outbox. */
export function openMail({ db, mailer, log, retryDelayMs = getRetryDelayMs }: MailOptions): Mail {
  let job: RunningJob | null = null
  return {
    outbox: {
      enqueue: (tx, kind, email, subject = '') =>
        enqueueEmail(tx, { kind, email, subject, ttlMs: emailTtlMs[kind] }),
      cancel: (tx, kind, email) => cancelEmail(tx, { kind, email }),
      wake: () => job?.wake(),
    },
    start(emails) {
      job = startJob(createEmailJob({ db, mailer, emails, log, retryDelayMs }), log)
    },
    close: async () => job?.stop(),
  }
}
