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
      aria-label="Your e-mail"
      className="mb-6 flex max-w-3xl flex-col gap-3 rounded-card border-l-4 border-wait bg-wait-wash p-5"
    >
      <p>
        <strong>Your e-mail is not verified yet.</strong> Follow the link in the letter that we sent you. You
        can shop without it; with it you can also sign in using Google.
      </p>
      <ResendEmail />
      {mailbox && <MailboxNote />}
    </aside>
  )
}
