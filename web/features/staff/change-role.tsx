import { useState } from 'react'
import type { StaffRole } from '../../../contract/permissions.ts'
import type { StaffMember } from '../../../contract/staff.ts'
import { readMessage } from '../../api.ts'
import { Alert } from '../../ui/alert.tsx'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusMainIfLost } from '../../ui/lost-focus.ts'
import { showToast } from '../../ui/toasts.tsx'
import { roleNames } from './permissions.tsx'
import { useChangeRole } from './queries.ts'
import { RolePicker } from './role-picker.tsx'

/** Changes the role of a person, or removes it. */
export function ChangeRole({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const { email, role: present } = person
  const name = person.name || email
  const [role, setRole] = useState<StaffRole | null>(present)
  const change = useChangeRole(email)
  const save = () =>
    change.mutate(role, {
      onSuccess: () => {
        showToast('success', role ? `${name}: ${roleNames[role]}` : `${name} has no role any more`)
        onClose()
        // The row of a person without a role disappears.
        focusMainIfLost()
      },
    })
  return (
    <Dialog
      title={`Role of ${name}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <BusyButton busy={change.isPending} disabled={role === present} onClick={save}>
            Change role
          </BusyButton>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-quiet wrap-anywhere">{email}. The change takes effect immediately.</p>
        <RolePicker
          chosen={role}
          onChoose={setRole}
          noRole={{ checked: role === null, onChoose: () => setRole(null) }}
        />
        {change.isError && <Alert>{readMessage(change.error)}</Alert>}
      </div>
    </Dialog>
  )
}
