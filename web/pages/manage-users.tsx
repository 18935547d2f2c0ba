import { UserList } from '../features/customers/user-list.tsx'
import { pageMeta } from '../shell/page-meta.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useListAddress } from '../ui/list-address.ts'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'

export const meta = () => pageMeta('Manage Users')

export default function ManageUsers() {
  const address = useListAddress()
  return (
    <>
      <PageHead title="Manage Users">
        <SearchBox label="Search users" value={address.q} onSearch={address.search} />
      </PageHead>
      <UserList
        address={address}
        empty={<EmptyState title="Nothing found">No user has “{address.q}” in name or e-mail.</EmptyState>}
      />
    </>
  )
}
