import type { User } from '../../../contract/customers.ts'
import { messageOf } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toast.ts'
import { useMakeAdmin } from './queries.ts'

/** Makes a user an admin, or says that this one is. */
export function MakeAdmin({ user }: { user: User }) {
  const make = useMakeAdmin()
  if (user.role === 'admin') {
    return (
      <Chip tone="quiet" icon={<CheckIcon className="size-3.5" />}>
        Already an Admin
      </Chip>
    )
  }
  const promote = () =>
    make.mutate(user.email, {
      onSuccess: () => showToast('success', `${user.name || user.email} is an admin now`),
      onError: (error) => showToast('error', messageOf(error)),
    })
  return (
    <Button look="quiet" size="small" busy={make.isPending} onClick={promote}>
      Make Admin
    </Button>
  )
}
