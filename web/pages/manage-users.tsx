import { UserList } from '../features/customers/user-list.tsx'
import { useUser } from '../features/identity/session.ts'
import { pageMeta } from '../router/page.ts'
import { useListParams } from '../ui/list-params.ts'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SearchBox } from '../ui/search-box.tsx'

export const meta = () => pageMeta('Manage Users')

export default function ManageUsers() {
  const viewer = useUser()
  const params = useListParams()
  return (
    <>
      <PageHead title="Manage Users">
        <SearchBox label="Search users" value={params.q} onSearch={params.search} />
      </PageHead>
      <UserList
        params={params}
        viewerId={viewer._id}
        // Empty only after a search, because the list includes the viewing admin.
        empty={<NothingFound thing="user" q={params.q} />}
      />
    </>
  )
}
