import { useState } from 'react'
import type { EmailDraft } from '../../../contract/settings.ts'
import { ApiError, call, readMessage } from '../../api.ts'
import { useSettings } from '../../router/router.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toasts.tsx'

/** Sends an email with the values of an example to the admin. */
export function SendTest({ draft, label }: { draft: EmailDraft; label: string }) {
  const { mail } = useSettings()
  const [busy, setBusy] = useState(false)
  async function send() {
    setBusy(true)
    try {
      const { email } = await call('testEmail', { body: draft })
      showToast('success', `Sent to ${email}`)
    } catch (error) {
      showToast('error', explainEmail(error))
    }
    setBusy(false)
  }
  if (mail === 'off') return <p className="text-sm text-quiet">The shop has no mail server.</p>
  return (
    <Button variant="quiet" size="small" busy={busy} onClick={() => void send()}>
      {label}
    </Button>
  )
}

/** Returns the messages of the texts, which name the placeholders that there are, or why the mail server refused. */
export function explainEmail(error: unknown): string {
  const { fields, details } = error instanceof ApiError ? error : { fields: {}, details: {} }
  const messages = Object.values(fields)
  if (messages.length > 0) return messages.join(' ')
  const codes = 'codes' in details ? ` (${String(details['codes'])})` : ''
  return readMessage(error) + codes
}
