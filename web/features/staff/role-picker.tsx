import { mayGiveRole, type StaffRole, staffRoles } from '../../../contract/permissions.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import { roleNames, usePermissions } from './permissions.tsx'

const descriptions: Record<StaffRole, string> = {
  owner: 'Everything, and decides who else is an owner.',
  admin: 'Everything except changing owners.',
  editor: 'Products, stock, bikes, pages and posts. No orders and no customers.',
  packer: 'Reads orders, prints packing slips and ships.',
  support: 'Reads orders and customers, writes notes and cancels unpaid orders. No refunds.',
}

interface RolePickerProps {
  chosen: StaffRole | null
  onChoose: (role: StaffRole) => void
  /** A further option: to have no role. */
  noRole?: { checked: boolean; onChoose: () => void }
}

/** The roles that the signed-in user may give, with a sentence for each. */
export function RolePicker({ chosen, onChoose, noRole }: RolePickerProps) {
  const permissions = usePermissions()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">Role</legend>
      {staffRoles
        .filter((role) => mayGiveRole(permissions, role))
        .map((role) => (
          <RadioCard key={role} name="role" checked={role === chosen} onChoose={() => onChoose(role)}>
            <span>
              <strong className="block">{roleNames[role]}</strong>
              <span className="text-quiet">{descriptions[role]}</span>
            </span>
          </RadioCard>
        ))}
      {noRole && (
        <RadioCard name="role" {...noRole}>
          <span>
            <strong className="block">No role</strong>
            <span className="text-quiet">Is a customer, with their own orders only.</span>
          </span>
        </RadioCard>
      )}
    </fieldset>
  )
}
