import type { Kysely } from 'kysely'
import { brandColors } from '../../../contract/shop.ts'
import type { Database } from '../../../db/schema.ts'
import { escapeHtml } from '../../platform/html.ts'
import { hourMs, type Job, type RunningJob, startJob } from '../../platform/jobs.ts'
import { type Mailer, MailFailure } from './mailer.ts'
import * as repository from './repository.ts'

export { type Mailer, openSmtpMailer, type SmtpSettings } from './mailer.ts'

type EmailKind = repository.EmailKind

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

interface MailOptions {
  db: Kysely<Database>
  mailer: Mailer
  log: SenderLog
  /** Milliseconds until the next attempt, after this many failed ones. */
  retryDelayMs?: (attempts: number) => number
}

/** Time to live, at most as long as the content of the email is true. */
export const emailTtlMs: Record<EmailKind, number> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'password-changed': 72 * hourMs,
  'order-expired': 72 * hourMs,
}

/** 5 s, then twice as long after each attempt, up to 5 minutes. */
const getRetryDelayMs = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 300_000)

export type Mail = ReturnType<typeof openMail>

/** Opens the outbox and its sender. Any number of processes may share the outbox. */
export function openMail({ db, mailer, log, retryDelayMs = getRetryDelayMs }: MailOptions) {
  let job: RunningJob | null = null
  const outbox: Outbox = {
    enqueue: (tx, kind, email, subject = '') =>
      repository.enqueueEmail(tx, { kind, email, subject, ttlMs: emailTtlMs[kind] }),
    cancel: (tx, kind, email) => repository.cancelEmail(tx, { kind, email }),
    wake: () => job?.wake(),
  }
  return {
    outbox,
    /** Starts sending, with one renderer for each kind of email. */
    start(emails: EmailRenderers): void {
      job = startJob(createEmailJob({ db, mailer, emails, log, retryDelayMs }), log)
    },
    close: async () => job?.stop(),
  }
}

/**
 * Renders each kind of email when it is sent; null if there is nothing to send. The same id must give the same
 * email, because recipients drop duplicates.
 */
export type EmailRenderers = Record<
  EmailKind,
  (
    tx: Kysely<Database>,
    content: Pick<repository.QueuedEmail, 'id' | 'email' | 'subject'>,
  ) => Promise<EmailContent | null>
>

interface SenderLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

interface SenderDeps extends Required<MailOptions> {
  emails: EmailRenderers
}

/** Duration of a claim; afterwards another process may send the email. Sending takes at most half as long. */
const leaseMs = 60_000
const batchSize = 5
/** Other processes add emails without waking this one. */
const intervalMs = 10_000

/** Sends the emails of the outbox. Each row is claimed, so several processes can send at the same time. */
const createEmailJob = (deps: SenderDeps): Job => ({
  name: 'send email',
  intervalMs,
  async run(signal) {
    const due = await repository.takeDue(deps.db, { batchSize, leaseMs })
    await Promise.all(due.map((content) => sendOne(deps, content, signal)))
    return due.length > 0 ? 0 : ((await repository.nextDueIn(deps.db)) ?? intervalMs)
  },
})

/** Never rejects, so that a run waits for all emails of its batch. */
async function sendOne(deps: SenderDeps, due: repository.QueuedEmail, signal: AbortSignal): Promise<void> {
  const { db, mailer, log } = deps
  const { id, kind, email, attempts } = due
  try {
    let content: EmailContent | null = null
    if (due.expires_at < new Date()) log.error({ emailId: id, kind, attempts }, 'dropped an expired email')
    else {
      const render = async (tx: Kysely<Database>) =>
        (await repository.lockEmail(tx, due)) ? deps.emails[kind](tx, due) : null
      content = await db.transaction().execute(render)
    }
    if (content) await mailer.send(compose(content, { id, to: email }), signal)
    await repository.deleteEmail(db, due)
  } catch (error) {
    await noteFailure(deps, due, error).catch((failure: unknown) =>
      log.error({ err: failure, emailId: id, kind }, 'could not record a failed email'),
    )
  }
}

async function noteFailure(deps: SenderDeps, due: repository.QueuedEmail, error: unknown): Promise<void> {
  const { db, log, retryDelayMs } = deps
  const { id: emailId, kind, attempts } = due
  if (!(error instanceof MailFailure)) {
    log.error({ err: error, emailId, kind }, 'could not render an email, retrying')
  } else if (error.isFinal) {
    log.warn({ emailId, kind, reason: error.message }, 'dropped an email to an unknown mailbox')
    return repository.deleteEmail(db, due)
  } else {
    log.warn({ emailId, kind, attempts, reason: error.message }, 'could not send an email, retrying')
  }
  await repository.rescheduleEmail(db, due, retryDelayMs(attempts))
}

/** A link on a line of its own. */
interface EmailLink {
  label: string
  url: string
}

/** Content of an email, from top to bottom. It must not contain user input. */
interface EmailContent {
  subject: string
  body: (string | EmailLink)[]
}

/** One email to one recipient. */
export interface Message {
  /** The same for every attempt, so that recipients can drop duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
}

/** Renders an email as plain text and as HTML. */
export function compose(content: EmailContent, { id, to }: { id: string; to: string }): Message {
  return { id, to, subject: content.subject, text: toText(content), html: toHtml(content) }
}

const toText = ({ body }: EmailContent): string =>
  `${body.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.url}`)).join('\n\n')}\n`

function toHtml({ subject, body }: EmailContent): string {
  const parts = body.map((part) =>
    typeof part === 'string'
      ? `<p>${escapeHtml(part)}</p>`
      : `<p><a href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:24px;color:${brandColors.ink};font:16px/1.5 system-ui,sans-serif">
${parts.join('\n')}
</body>
</html>
`
}
