import { useState } from 'react'
import type { User } from '../../../contract/customers.ts'
import { readMessage } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toast.ts'
import { useMakeAdmin, useRemoveAdmin } from './queries.ts'

/** Shows whether a user is an admin, and changes it after a confirmation. Your own role has no button. */
export function AdminRole({ user, viewerId }: { user: User; viewerId: string }) {
  const [isAsking, setAsking] = useState(false)
  const make = useMakeAdmin()
  const remove = useRemoveAdmin()
  const isAdmin = user.role === 'admin'
  const change = isAdmin ? remove : make
  const name = user.name || user.email

  const ask = () => {
    change.reset()
    setAsking(true)
  }
  const confirm = () =>
    change.mutate(user.email, {
      onSuccess: () => {
        showToast('success', isAdmin ? `${name} is no longer an admin` : `${name} is now an admin`)
        setAsking(false)
      },
    })

  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {isAdmin && (
        <Chip tone="quiet" icon={<CheckIcon className="size-3.5" />}>
          Already an Admin
        </Chip>
      )}
      {user._id !== viewerId && (
        <Button variant={isAdmin ? 'danger' : 'quiet'} size="small" onClick={ask}>
          {isAdmin ? 'Remove Admin' : 'Make Admin'}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={isAdmin ? 'Remove Admin' : 'Make Admin'}
          busy={change.isPending}
          failure={change.isError ? readMessage(change.error) : ''}
          onYes={confirm}
          onClose={() => setAsking(false)}
        >
          {name} ({user.email}){' '}
          {isAdmin
            ? 'loses access to users, orders and products immediately.'
            : 'will be able to manage users, orders and products.'}
        </ConfirmDialog>
      )}
    </div>
  )
}
