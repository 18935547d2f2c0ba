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

/** Queue of outgoing emails. */
export interface Outbox {
  /**
   * Adds an email within the caller's transaction; call `wake` after the commit. `email` must be in lower case;
   * `subject` is the id of an order, if the email is about one.
   */
  enqueue(db: Kysely<Database>, kind: EmailKind, email: string, subject?: string): Promise<void>
  /**
   * Deletes queued emails within the caller's transaction, so they are not sent or retried. Call it before other
   * writes: the sender also locks the email first.
   */
  cancel(db: Kysely<Database>, kind: EmailKind, email: string): Promise<void>
  /** Sends new emails immediately instead of within ten seconds. */
  wake(): void
}

export interface Mail {
  outbox: Outbox
  /** Starts sending, with one renderer for each kind of email. */
  start(emails: EmailRenderers): void
  close(): Promise<void>
}

export interface MailOptions {
  db: Kysely<Database>
  mailer: Mailer
  log: SenderLog
  retryDelayMs?: (attempts: number) => number
}

/** Time to live, at most as long as the content of the email is true. */
const emailTtlMs: Record<EmailKind, number> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'password-changed': 72 * hourMs,
  'order-expired': 72 * hourMs,
}

/** 5 s, then twice as long after each attempt, up to 5 minutes. */
const getRetryDelayMs = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 300_000)

/** Opens the outbox and its sender. Any number of processes may share the outbox. */
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
