import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type User, userSorts } from '../../../contract/customers.ts'
import { readMessage } from '../../api.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Email } from '../../ui/email.tsx'
import { knownSort, type ListParams } from '../../ui/list-params.ts'
import { ListView } from '../../ui/list-view.tsx'
import { AdminRole } from './admin-role.tsx'
import { userPageQuery } from './queries.ts'

const pageSize = 20
const untold = <span className="text-quiet">–</span>

const userColumns = (viewerId: string): Column<User>[] => [
  { head: 'Name', sort: 'name', names: true, cell: (user) => user.name || untold },
  { head: 'Email', sort: 'email', cell: (user) => <Email email={user.email} /> },
  { head: 'Phone', cell: (user) => user.phone || untold },
  { head: 'Birthday', sort: 'birthday', cell: (user) => user.birthday || untold },
  { head: 'Action', actions: true, cell: (user) => <AdminRole user={user} viewerId={viewerId} /> },
]

export interface UserListProps {
  params: ListParams
  /** Id of the admin who views the list. */
  viewerId: string
  empty: ReactNode
}

/** A page of the shop's users. */
export function UserList({ params, viewerId, empty }: UserListProps) {
  const { page, q } = params
  const sort = knownSort(userSorts, params.sort)
  const list = useQuery(userPageQuery({ page, pageSize, sort, q: q || undefined }))
  return (
    <ListView
      caption="Users"
      failure={{ title: 'The users could not be loaded', message: readMessage }}
      list={list}
      columns={userColumns(viewerId)}
      rowKey={(user) => user._id}
      params={params}
      pageSize={pageSize}
      empty={empty}
    />
  )
}
