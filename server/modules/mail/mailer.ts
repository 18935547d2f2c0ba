import type { Message } from './email.ts'

/** Carries a message out of the shop. There are two: SMTP, and the demo's mailbox. */
export interface Mailer {
  /**
   * Resolves when someone else answers for the message.
   *
   * @throws MailFailure
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}

/**
 * Why a message did not go out. It says so by codes alone: what a mail server answers often names whom the message was
 * for, and that must not reach a log.
 */
export class MailFailure extends Error {
  /** Whether there is no such mailbox, so that another try is of no use. */
  readonly isFinal: boolean

  constructor(reason: string, { isFinal = false } = {}) {
    super(reason)
    this.name = 'MailFailure'
    this.isFinal = isFinal
  }
}
