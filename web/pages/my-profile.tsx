import { useState } from 'react'
import { ProfileCard } from '../features/customers/profile-card.tsx'
import { ProfileForm } from '../features/customers/profile-form.tsx'
import { EmailNotice } from '../features/identity/email-notice.tsx'
import { useUser } from '../features/identity/session.ts'
import { loadSession } from '../features/identity/session-actions.ts'
import { pageMeta } from '../router/page.ts'
import { useSettings } from '../router/router.tsx'
import { Button } from '../ui/button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toast.ts'

export const meta = () => pageMeta('My Profile')

export default function MyProfile() {
  const user = useUser()
  const { mail } = useSettings()
  const [editing, setEditing] = useState(false)
  const updated = () => {
    setEditing(false)
    showToast('success', 'Profile Successfully Updated')
    void loadSession()
  }
  return (
    <>
      <PageHead title="My Profile">
        {!editing && (
          <Button variant="quiet" onClick={() => setEditing(true)}>
            Edit Profile
          </Button>
        )}
      </PageHead>
      {!editing && mail !== 'off' && <EmailNotice mailbox={mail === 'mailbox'} />}
      {editing ? (
        <ProfileForm user={user} onUpdated={updated} onCancel={() => setEditing(false)} />
      ) : (
        <ProfileCard user={user} />
      )}
    </>
  )
}
