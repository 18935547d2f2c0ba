import { useMutation } from '@tanstack/react-query'
import type { EmailDraft } from '../../../contract/settings.ts'
import { ApiError, call, readMessage } from '../../api.ts'
import { useSettings } from '../../router/router.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { showToast } from '../../ui/toasts.tsx'

/** Sends an email with the values of an example to the admin. */
export function SendTest({ draft, label }: { draft: EmailDraft; label: string }) {
  const { mail } = useSettings()
  const send = useMutation({
    mutationFn: () => call('testEmail', { body: draft }),
    onSuccess: ({ email }) => showToast('success', `Sent to ${email}`),
    onError: (error) => showToast('error', explainFailure(error)),
  })
  if (mail === 'off') return <p className="text-sm text-quiet">The shop has no mail server.</p>
  return (
    <BusyButton variant="quiet" size="small" busy={send.isPending} onClick={() => send.mutate()}>
      {label}
    </BusyButton>
  )
}

/** Returns the messages about invalid texts, or why the email was not sent, with the code of the mail server. */
export function explainFailure(error: unknown): string {
  const { fields, details } = error instanceof ApiError ? error : { fields: {}, details: {} }
  const messages = Object.values(fields)
  if (messages.length > 0) return messages.join(' ')
  const codes = 'codes' in details ? ` (${String(details['codes'])})` : ''
  return readMessage(error) + codes
}
