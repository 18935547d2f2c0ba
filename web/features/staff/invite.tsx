import { useState } from 'react'
import * as z from 'zod/mini'
import type { StaffRole } from '../../../contract/permissions.ts'
import { NewInvitation, type SentInvitation } from '../../../contract/staff.ts'
import { readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCheckedForm } from '../../ui/form.ts'
import { useInvite } from './queries.ts'
import { RolePicker } from './role-picker.tsx'

const Recipient = z.pick(NewInvitation, { email: true })

interface InviteProps {
  onSent: (sent: SentInvitation) => void
  onClose: () => void
}

/** Invites a person by email. */
export function Invite({ onSent, onClose }: InviteProps) {
  const invite = useInvite()
  const [role, setRole] = useState<StaffRole>('packer')
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm<{ email: string }, void>({
    schema: Recipient,
    defaultValues: { email: '' },
    send: async ({ email }) => onSent(await invite.mutateAsync({ email, role })),
  })
  return (
    <Dialog title="Invite" onClose={onClose} isUnsaved={form.formState.isDirty && !isSubmitting}>
      <form {...formProps} className="flex flex-col gap-4">
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          hint="The person needs an account with this email, and can create it with the link."
          {...field('email')}
        />
        <RolePicker chosen={role} onChoose={setRole} />
        {failure !== undefined && <Alert>{readMessage(failure)}</Alert>}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <BusyButton type="submit" busy={isSubmitting}>
            Invite
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}

/** Shows the link of an invitation if the shop sends no email: this is the only time. */
export function InvitationLink({
  email,
  link,
  onClose,
}: {
  email: string
  link: string
  onClose: () => void
}) {
  return (
    <Dialog title="Pass on this link" onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
      <div className="flex flex-col gap-4">
        <p className="wrap-anywhere">
          This shop sends no email. Give the link to {email} yourself. It is valid for 7 days and is shown
          only now.
        </p>
        <TextField label="Link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </div>
    </Dialog>
  )
}
