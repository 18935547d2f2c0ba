import type { User } from '../../../contract/customers.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Email } from '../../ui/email.tsx'

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Profile of a user. */
export function ProfileCard({ user }: { user: User }) {
  const unknown = <span className="font-normal text-quiet">Not provided</span>
  return (
    <section className="grid max-w-3xl gap-6 rounded-card border border-line bg-surface p-6 md:grid-cols-[10rem_1fr] md:p-8">
      <Avatar photo={user.photo} size={160} className="size-40 rounded-card" />
      <DescriptionList
        items={[
          { name: 'Name', value: user.name || unknown },
          { name: 'Email', value: <Email email={user.email} /> },
          { name: 'Birthday', value: user.birthday ? dates.format(new Date(user.birthday)) : unknown },
          { name: 'Phone', value: user.phone || unknown },
          { name: 'Sex', value: user.sex || unknown },
          { name: 'Bio', value: user.bio || unknown },
        ]}
      />
    </section>
  )
}
