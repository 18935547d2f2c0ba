import { useUser } from '../features/identity/session.ts'
import { ProfileCard } from '../features/customers/profile-card.tsx'
import { pageMeta } from '../shell/page-meta.ts'
import { PageHead } from '../ui/page-head.tsx'

export const meta = () => pageMeta('My Profile')

export default function MyProfile() {
  const user = useUser()
  return (
    <>
      <PageHead title="My Profile" />
      <ProfileCard user={user} />
    </>
  )
}
