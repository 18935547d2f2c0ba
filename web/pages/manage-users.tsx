import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type User, userSorts } from '../../contract/customers.ts'
import { mayGiveRole } from '../../contract/permissions.ts'
import { call } from '../api.ts'
import { ConfirmChange } from '../confirm-change.tsx'
import { customerPath } from '../features/desk/paths.ts'
import { useUser } from '../features/identity/session.ts'
import { roleNames, usePermissions } from '../features/staff/permissions.tsx'
import { ListView, useListParams } from '../list-view.tsx'
import { pageQuery } from '../page-query.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Email } from '../ui/email.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { PersonIcon } from '../ui/order-icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { EmptyState } from '../ui/states.tsx'

export const meta = () => ({ title: 'Manage Users' })

const users = ['users'] as const
const userPageQuery = pageQuery('listUsers', users)

export default function ManageUsers() {
  const viewer = useUser()
  const params = useListParams()
  const role = roles.find(([value]) => value === params.filter('role'))?.[0] || undefined
  const query = { ...params.toQuery(userSorts), role }
  const list = useQuery(userPageQuery(query))
  return (
    <>
      <PageHead title="Manage Users">
        <SearchBox label="Search users" value={params.q} onSearch={params.search} />
      </PageHead>
      <nav aria-label="Roles" className="mb-4 flex flex-wrap gap-2">
        {roles.map(([value, name]) => (
          <LinkButton
            key={value}
            size="small"
            variant={value === (role ?? '') ? 'ink' : 'quiet'}
            aria-current={value === (role ?? '') ? 'page' : undefined}
            href={params.filterLink('role', value)}
          >
            {name}
          </LinkButton>
        ))}
      </nav>
      <ListView
        caption="Users"
        failure="The users could not be loaded"
        list={list}
        columns={userColumns(viewer._id)}
        rowKey={(user) => user._id}
        params={params}
        searched="user"
        // All and Admins include the viewing admin.
        empty={<EmptyState title="No customers yet">People who sign up appear here.</EmptyState>}
      />
    </>
  )
}

const roles = [
  ['', 'All'],
  ['admin', 'Admins'],
  ['customer', 'Customers'],
] as const

const untold = <span className="text-quiet">–</span>

const userColumns = (viewerId: string): Column<User>[] => [
  { head: 'Name', sort: 'name', names: true, cell: (user) => user.name || untold },
  { head: 'Email', sort: 'email', cell: (user) => <CustomerLink email={user.email} /> },
  { head: 'Phone', cell: (user) => user.phone || untold },
  { head: 'Birthday', sort: 'birthday', cell: (user) => user.birthday || untold },
  { head: 'Action', actions: true, cell: (user) => <AdminRole user={user} viewerId={viewerId} /> },
]

/** An email that opens the page with the orders, the addresses and the notes of the customer. */
const CustomerLink = ({ email }: { email: string }) => (
  <a href={customerPath(email)} className="underline">
    <Email email={email} />
  </a>
)

/** Shows whether a user is an admin, and changes it after a confirmation. Your own role has no button. */
function AdminRole({ user, viewerId }: { user: User; viewerId: string }) {
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const { email } = user
  const isAdmin = user.role === 'admin'
  const { staffRole } = user
  const permissions = usePermissions()
  const mayChange = user._id !== viewerId && mayGiveRole(permissions, staffRole ?? null)
  const change = useMutation({
    mutationFn: () =>
      isAdmin
        ? call('removeAdmin', { params: { email } })
        : call('makeAdmin', { params: { email }, body: { role: 'admin' } }),
    onSettled: () => void client.invalidateQueries({ queryKey: users }),
  })
  const name = user.name || email

  const ask = () => {
    change.reset()
    setAsking(true)
  }

  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {isAdmin && (
        <Chip tone="quiet" icon={CheckIcon}>
          Already an Admin
        </Chip>
      )}
      {!isAdmin && staffRole && (
        <Chip tone="quiet" icon={PersonIcon}>
          {roleNames[staffRole]}
        </Chip>
      )}
      {mayChange && (
        <Button variant={isAdmin ? 'danger' : 'quiet'} size="small" onClick={ask}>
          {isAdmin ? 'Remove Admin' : 'Make Admin'}
        </Button>
      )}
      {isAsking && (
        <ConfirmChange
          title={isAdmin ? 'Remove Admin' : 'Make Admin'}
          change={change}
          input={undefined}
          done={isAdmin ? `${name} is no longer an admin` : `${name} is now an admin`}
          onClose={() => setAsking(false)}
        >
          {name} ({email}){' '}
          {isAdmin
            ? 'loses access to users, orders and products immediately.'
            : 'will be able to manage users, orders and products.'}
          {!isAdmin && user.unverified && (
            <strong className="mt-2 block">
              No one has confirmed this email. Make sure that the account belongs to this person.
            </strong>
          )}
        </ConfirmChange>
      )}
    </div>
  )
}
