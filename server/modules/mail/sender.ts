import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Job } from '../../platform/jobs.ts'
import { compose, type EmailContent } from './email.ts'
import { type Mailer, MailFailure } from './mailer.ts'
import * as repository from './repository.ts'

/**
 * Renders each kind of email when it is sent; null if there is nothing to send. The same id must give the same
 * email, because recipients drop duplicates.
 */
export type EmailRenderers = Record<
  repository.EmailKind,
  (
    tx: Kysely<Database>,
    content: Pick<repository.QueuedEmail, 'id' | 'email' | 'subject'>,
  ) => Promise<EmailContent | null>
>

export interface SenderLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface SenderDeps {
  db: Kysely<Database>
  mailer: Mailer
  emails: EmailRenderers
  log: SenderLog
  /** Milliseconds until the next attempt, after this many failed ones. */
  retryDelayMs: (attempts: number) => number
}

/** Duration of a claim; afterwards another process may send the email. Sending takes at most half as long. */
const leaseMs = 60_000
const batchSize = 5
/** Other processes add emails without waking this one. */
const intervalMs = 10_000

/** Sends the emails of the outbox. Each row is claimed, so several processes can send at the same time. */
export const createEmailJob = (deps: SenderDeps): Job => ({
  name: 'send email',
  intervalMs,
  async run(signal) {
    const due = await repository.takeDue(deps.db, { batchSize: batchSize, leaseMs })
    await Promise.all(due.map((content) => sendOne(deps, content, signal)))
    return due.length > 0 ? 0 : ((await repository.nextDueIn(deps.db)) ?? intervalMs)
  },
})

/** Never rejects, so that a run waits for all emails of its batch. */
async function sendOne(deps: SenderDeps, due: repository.QueuedEmail, signal: AbortSignal): Promise<void> {
  const { db, mailer, log } = deps
  const { id, kind, email, attempts } = due
  try {
    const isOver = due.expires_at < new Date()
    if (isOver) log.error({ emailId: id, kind, attempts }, 'dropped an expired email')
    const content = isOver ? null : await write(deps, due)
    if (content) await mailer.send(compose(content, { id, to: email }), signal)
    await repository.deleteEmail(db, due)
  } catch (error) {
    await noteFailure(deps, due, error).catch((failure: unknown) =>
      log.error({ err: failure, emailId: id, kind }, 'could not record a failed email'),
    )
  }
}

const write = ({ db, emails }: SenderDeps, due: repository.QueuedEmail): Promise<EmailContent | null> =>
  db
    .transaction()
    .execute(async (tx) => ((await repository.lockEmail(tx, due)) ? emails[due.kind](tx, due) : null))

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
