/** Link to the sandbox mailbox with the emails of the demo. */
export function MailboxNote() {
  return (
    <p className="text-sm text-quiet">
      <strong>TEST MODE.</strong> No mail leaves this shop: its letters are in the{' '}
      <a href="/sandbox/mailbox" className="font-semibold text-signal underline">
        mailbox
      </a>
      .
    </p>
  )
}
