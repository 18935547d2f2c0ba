import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { emailTextFields, refusePlaceholders } from '../../../contract/email-texts.ts'
import { orderEmailKinds } from '../../../contract/emails.ts'
import { orderNumber } from '../../../contract/order-number.ts'
import type { EmailDraft, EmailPreview } from '../../../contract/settings.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ShopError } from '../../platform/errors.ts'
import { hourMs, type Job, type RunningJob, startJob } from '../../platform/jobs.ts'
import { createCounter } from '../../platform/telemetry/metrics.ts'
import { addToSpan, withOutcomeSpan } from '../../platform/telemetry/tracing.ts'
import { recordChange } from '../audit/service.ts'
import { compose, type EmailContent, type EmailSender, type Message } from './compose.ts'
import { type Mailer, MailFailure } from './mailer.ts'
import * as repository from './repository.ts'
import { createSample } from './samples.ts'

export type { EmailContent, EmailSender } from './compose.ts'
export { openSmtpMailer, type SmtpSettings } from './mailer.ts'
export { countFailedEmails, type FailedEmail, listFailedEmails } from './queries.ts'
export { countDueEmails } from './repository.ts'
export {
  type EmailOrder,
  type EmailShipment,
  emailContents,
  listSafeTexts,
  listUnlinkedTexts,
} from './texts.ts'

type EmailKind = repository.EmailKind

/** Time to live, at most as long as the content of the email is true. */
export const emailTtlMs: Record<EmailKind, number> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'email-change': hourMs,
  'email-changed': 72 * hourMs,
  'password-changed': 72 * hourMs,
  'order-placed': 24 * hourMs,
  'order-received': 7 * 24 * hourMs,
  'order-shipped': 7 * 24 * hourMs,
  'order-cancelled': 7 * 24 * hourMs,
  'order-expired': 7 * 24 * hourMs,
  'order-refunded': 7 * 24 * hourMs,
  'return-approved': 7 * 24 * hourMs,
  'return-rejected': 7 * 24 * hourMs,
  'withdrawal-received': 7 * 24 * hourMs,
  'shipment-sent': 7 * 24 * hourMs,
  'tracking-added': 7 * 24 * hourMs,
  'shipment-withdrawn': 7 * 24 * hourMs,
  // At most: an order by phone has its own last day.
  'payment-link': 15 * 24 * hourMs,
  invitation: 7 * 24 * hourMs,
}

/** Emails about an account are dropped when they fail: the customer requests another one. */
const isAboutOrder = (kind: EmailKind): boolean => orderEmailKinds.some((each) => each === kind)

/** 5 s, then twice as long after each attempt, up to 5 minutes. */
const getRetryDelayMs = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 300_000)

export type Mail = ReturnType<typeof openMail>
export type Outbox = Mail['outbox']

interface MailOptions {
  db: Kysely<Database>
  mailer: Mailer
  /** Reads the shop as emails show it. */
  readSender: (db: Kysely<Database>) => Promise<EmailSender>
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** Milliseconds until the next attempt, after this many failed ones. */
  retryDelayMs?: (attempts: number) => number
}

/** Opens the outbox and its sender. Any number of processes may share the outbox. */
export function openMail(options: MailOptions) {
  let job: RunningJob | null = null
  return {
    /** Queue of outgoing emails. */
    outbox: {
      /**
       * Adds an email within the caller's transaction; call `wake` after the commit. `email` must be in lower case;
       * `subject` is the id of an order, a refund, a shipment, an event of an order or an invitation, if the email is about
       * one. It is not sent before `delayMs`, and not after `ttlMs`, by default the time to live of its kind.
       */
      enqueue: (
        tx: Kysely<Database>,
        kind: EmailKind,
        email: string,
        subject = '',
        { delayMs = 0, ttlMs = emailTtlMs[kind] } = {},
      ): Promise<void> => repository.enqueueEmail(tx, { kind, email, subject }, { ttlMs, delayMs }),
      /** Returns whether an email waits, and holds it in the queue until the caller's transaction ends. */
      hold: repository.holdEmail,
      /** Deletes the emails about a subject, whether they are being sent or not. Returns whether one was still waiting. */
      withdraw: repository.withdrawEmail,
      /**
       * Deletes queued emails within the caller's transaction, so they are not sent or retried. Call it before other
       * writes: the sender also locks the email first.
       */
      cancel: repository.cancelEmail,
      /** Sends new emails immediately instead of within ten seconds. */
      wake: () => job?.wake(),
    },
    /** Starts sending, with one renderer for each kind of email. */
    start(emails: EmailRenderers): void {
      job = startJob(createEmailJob({ retryDelayMs: getRetryDelayMs, ...options, emails }), options.log)
    },
    /**
     * Sends a message immediately, without the outbox.
     *
     * @throws MAIL_NOT_SENT with the response of the mail server, as `codes`
     */
    async send(message: Message): Promise<void> {
      try {
        await options.mailer.send(message, AbortSignal.timeout(testTimeoutMs))
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error
        throw new ShopError('MAIL_NOT_SENT', { cause: error, details: { codes: error.message } })
      }
    },
    close: async () => job?.stop(),
  }
}

const testTimeoutMs = 15_000

/**
 * Renders an email with invented values.
 *
 * @param draft texts that need not be saved
 * @throws PLACEHOLDER_UNKNOWN
 */
function composeSample({ kind, ...draft }: EmailDraft, sender: EmailSender, to: string): Message {
  const fields = Object.fromEntries(
    emailTextFields.flatMap((field) => {
      const message = refusePlaceholders(kind, draft[field] ?? '')
      return message ? [[field, message]] : []
    }),
  )
  if (Object.keys(fields).length > 0) throw new ShopError('PLACEHOLDER_UNKNOWN', { fields })
  const texts = { ...sender.texts, [kind]: draft }
  return compose(createSample(kind, sender.origin), { ...sender, texts }, { id: randomUUID(), to })
}

/** @throws PLACEHOLDER_UNKNOWN */
export function previewEmail(draft: EmailDraft, sender: EmailSender): EmailPreview {
  const { subject, html, text } = composeSample(draft, sender, '')
  return { subject, html, text }
}

/**
 * Sends an email with invented values.
 *
 * @param mail null if the shop does not send email
 * @throws MAIL_OFF, MAIL_NOT_SENT, PLACEHOLDER_UNKNOWN
 */
export async function sendTestEmail(
  mail: Pick<Mail, 'send'> | null,
  { draft, sender, to }: { draft: EmailDraft; sender: EmailSender; to: string },
): Promise<void> {
  const message = composeSample(draft, sender, to)
  if (!mail) throw new ShopError('MAIL_OFF')
  await mail.send(message)
}

/**
 * Sends a failed email again.
 *
 * @param outbox null if the shop does not send email
 * @throws NOT_FOUND, MAIL_OFF
 */
export async function retryEmail(db: Kysely<Database>, id: string, outbox: Outbox | null): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await repository.retryEmail(tx, id, emailTtlMs))) throw new ShopError('NOT_FOUND')
    if (!outbox) throw new ShopError('MAIL_OFF')
  })
  outbox?.wake()
}

/** Finds the orders of the subjects of emails. From the modules that send them. */
export type FindOrderIds = (db: Kysely<Database>, subjects: string[]) => Promise<Map<string, string>>

/** @throws NOT_FOUND */
export async function deleteFailedEmail(
  db: Kysely<Database>,
  id: string,
  { findOrderIds, deletedBy }: { findOrderIds: FindOrderIds; deletedBy: Actor },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const email = await repository.deleteFailedEmail(tx, id)
    if (!email) throw new ShopError('NOT_FOUND')
    const orderId = (await findOrderIds(tx, [email.subject])).get(email.subject)
    await recordChange(tx, {
      area: 'emails',
      subject: orderId ?? email.subject,
      name: orderId ? `Email about #${orderNumber(orderId)}` : 'Email',
      before: { kind: email.kind },
      after: null,
      actor: deletedBy,
    })
  })
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

interface SenderDeps extends Required<MailOptions> {
  emails: EmailRenderers
}

const emails = createCounter({
  name: 'shop_emails_total',
  help: 'Attempts to send an email. withdrawn: there was nothing to send any more; dropped: not tried again.',
  labelNames: ['kind', 'outcome'],
})
// Without a value before it, the first email of a kind after a start is not an increase.
for (const kind of Object.keys(emailTtlMs)) emails.inc({ kind, outcome: 'sent' }, 0)

/** Duration of a claim; afterwards another process may send the email. Sending takes at most 150 s. */
const leaseMs = 180_000
const batchSize = 5
/** Other processes add emails without waking this one. */
const intervalMs = 10_000

/** Sends the emails of the outbox. Each row is claimed, so several processes can send at the same time. */
const createEmailJob = (deps: SenderDeps): Job => ({
  name: 'send email',
  intervalMs,
  async run(signal) {
    const due = await repository.takeDue(deps.db, { batchSize, leaseMs })
    addToSpan('shop.items', due.length)
    await Promise.all(due.map((content) => sendOne(deps, content, signal)))
    return due.length > 0 ? 0 : repository.nextDueIn(deps.db)
  },
})

/** Never rejects, so that a run waits for all emails of its batch. */
async function sendOne(deps: SenderDeps, due: repository.QueuedEmail, signal: AbortSignal): Promise<void> {
  const { db, mailer, readSender, log, retryDelayMs } = deps
  const { id: emailId, kind, email, attempts } = due
  /** Ends the attempts. */
  const drop = (failure: string | null) =>
    isAboutOrder(kind) ? repository.failEmail(db, due, failure) : repository.deleteEmail(db, due)
  try {
    let outcome = 'dropped'
    if (due.is_expired) {
      log.error({ emailId, kind, attempts }, 'dropped an expired email')
      await drop(null)
    } else {
      const sender = await readSender(db)
      const render = async (tx: Kysely<Database>) =>
        (await repository.lockEmail(tx, due)) ? deps.emails[kind](tx, due) : null
      const content = await db.transaction().execute(render)
      if (content) {
        const message = compose(content, sender, { id: emailId, to: email })
        await withOutcomeSpan('call', 'mail send', () => mailer.send(message, signal))
      }
      outcome = content ? 'sent' : 'withdrawn'
      await repository.deleteEmail(db, due)
    }
    emails.inc({ kind, outcome })
  } catch (error) {
    const isDelivery = error instanceof MailFailure
    const isFinal = isDelivery && error.isFinal
    emails.inc({ kind, outcome: isFinal ? 'dropped' : 'failed' })
    if (!isDelivery) log.error({ err: error, emailId, kind }, 'could not render an email, retrying')
    else {
      const event = isFinal ? 'dropped an email to an unknown mailbox' : 'could not send an email, retrying'
      log.warn({ emailId, kind, attempts, reason: error.message }, event)
    }
    const reason = isDelivery ? error.message : null
    const recorded = isFinal
      ? drop(reason)
      : repository.rescheduleEmail(db, due, retryDelayMs(attempts), reason)
    await recorded.catch((failure: unknown) =>
      log.error({ err: failure, emailId, kind }, 'could not record a failed email'),
    )
  }
}
