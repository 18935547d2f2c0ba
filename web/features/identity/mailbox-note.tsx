/** Link to the sandbox mailbox with the emails of the demo. */
export function MailboxNote() {
  return (
    <p className="text-sm text-quiet">
      <strong>TEST MODE.</strong> This shop does not send real email. Messages are in the{' '}
      <a href="/sandbox/mailbox" className="font-semibold text-signal underline">
        mailbox
      </a>
      .
    </p>
  )
}
