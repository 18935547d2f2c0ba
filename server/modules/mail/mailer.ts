import type { Message } from './email.ts'

/** Sends messages, over SMTP or to the demo's mailbox. */
export interface Mailer {
  /**
   * Resolves when the message has been accepted for delivery.
   *
   * @throws MailFailure
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}

/**
 * Thrown when a message was not sent. Contains only codes: server responses often name the recipient, which must
 * not be logged.
 */
export class MailFailure extends Error {
  /** True if the mailbox does not exist, so another attempt is useless. */
  readonly isFinal: boolean

  constructor(reason: string, { isFinal = false } = {}) {
    super(reason)
    this.name = 'MailFailure'
    this.isFinal = isFinal
  }
}
