import { useQuery } from '@tanstack/react-query'
import { MailboxNote } from './mailbox-note.tsx'
import { isEmailVerified } from './provider.ts'
import { ResendEmail } from './resend-email.tsx'

/** Notice for users whose email is not verified, with a button that sends the email again. */
export function EmailNotice({ mailbox }: { mailbox: boolean }) {
  const { data: verified } = useQuery({ queryKey: ['email-verified'], queryFn: isEmailVerified })
  if (verified !== false) return null
  return (
    <aside
      aria-label="Your email"
      className="mb-6 flex max-w-3xl flex-col gap-3 rounded-card border-l-4 border-wait bg-wait-wash p-5"
    >
      <p>
        <strong>Your email is not verified.</strong> Open the link in the email we sent. You can shop without
        it, but you need it to sign in using Google.
      </p>
      <ResendEmail />
      {mailbox && <MailboxNote />}
    </aside>
  )
}
