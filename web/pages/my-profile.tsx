import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Profile, sexes, type User } from '../../contract/customers.ts'
import { formatUtcDate } from '../../contract/dates.ts'
import { call, readMessage } from '../api.ts'
import { emailVerifiedQuery, MailboxNote, ResendEmail } from '../features/identity/email-link.tsx'
import { useUser } from '../features/identity/session.ts'
import { loadSession } from '../features/identity/session-actions.ts'
import { useSettings } from '../router/router.tsx'
import { Alert } from '../ui/alert.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button } from '../ui/button.tsx'
import { DescriptionList } from '../ui/description-list.tsx'
import { Email } from '../ui/email.tsx'
import { SelectField, TextArea, TextField } from '../ui/field.tsx'
import { focus } from '../ui/focus.ts'
import { useCheckedForm } from '../ui/form.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Avatar } from '../ui/picture.tsx'
import { showToast } from '../ui/toasts.tsx'
import { FileUpload, pictureFile } from '../upload.tsx'

export const meta = () => ({ title: 'My Profile' })

export default function MyProfile() {
  const user = useUser()
  const { mail } = useSettings()
  /** Undefined until the profile is edited. */
  const [editing, setEditing] = useState<boolean>()
  return (
    <>
      <PageHead title="My Profile">
        {!editing && (
          <Button
            ref={editing === false ? focus : undefined}
            variant="quiet"
            onClick={() => setEditing(true)}
          >
            Edit Profile
          </Button>
        )}
      </PageHead>
      {!editing && mail !== 'off' && <EmailNotice mailbox={mail === 'mailbox'} />}
      {editing ? <ProfileForm user={user} onClose={() => setEditing(false)} /> : <ProfileCard user={user} />}
    </>
  )
}

/** Notice for users whose email is not verified, with a button that sends the email again. */
function EmailNotice({ mailbox }: { mailbox: boolean }) {
  const { data: verified } = useQuery(emailVerifiedQuery)
  if (verified !== false) return null
  return (
    <aside
      aria-label="Your email"
      className="mb-6 flex max-w-wide flex-col gap-3 rounded-card border-l-4 border-wait bg-wait-wash p-5"
    >
      <p>
        <strong>Your email is not verified.</strong> Open the link in the email we sent. You can shop without
        it, but you need it to sign in using Google.
      </p>
      <ResendEmail />
      {mailbox && <MailboxNote />}
    </aside>
  )
}

/** Profile of a user. */
function ProfileCard({ user }: { user: User }) {
  const unknown = <span className="font-normal text-quiet">Not provided</span>
  return (
    <section className="grid max-w-wide gap-6 rounded-card border border-line bg-surface p-6 md:grid-cols-[10rem_1fr] md:p-8">
      <div className="flex flex-col gap-2">
        <Avatar photo={user.avatar} size={160} className="size-40 rounded-card" />
        <PhotoNote user={user} />
      </div>
      <DescriptionList
        items={[
          { name: 'Name', value: user.name || unknown },
          { name: 'Email', value: <Email email={user.email} /> },
          { name: 'Birthday', value: user.birthday ? formatUtcDate(user.birthday) : unknown },
          { name: 'Phone', value: user.phone || unknown },
          { name: 'Sex', value: user.sex || unknown },
          { name: 'Bio', value: user.bio || unknown },
        ]}
      />
    </section>
  )
}

/** Why the linked photo is not shown. */
function PhotoNote({ user: { photo, avatar, photoProblem } }: { user: User }) {
  if (photo === '' || avatar !== undefined) return null
  return (
    <p className="text-sm text-quiet">
      {photoProblem ?? 'Your picture is being loaded. Reload this page in a moment to see it.'}
    </p>
  )
}

/** Form for your own profile. All fields are optional; a blank field keeps its old value. */
function ProfileForm({ user, onClose }: { user: User; onClose: () => void }) {
  const { email, name, birthday, phone, sex, bio, photo } = user
  const [isUploading, setUploading] = useState(false)
  const { form, field, failure, isSubmitting, formProps } = useCheckedForm<Profile, void>({
    schema: Profile,
    defaultValues: { name, birthday, phone, sex, bio, photo },
    async send(body) {
      await call('updateProfile', { params: { email }, body })
      onClose()
      showToast('success', 'Profile Successfully Updated')
      void loadSession()
    },
  })
  const { setFocus } = form
  useEffect(() => setFocus('name'), [setFocus])
  return (
    <form {...formProps} className="grid max-w-wide gap-4 md:grid-cols-2 md:gap-x-6">
      <TextField label="Full Name" autoComplete="name" {...field('name')} />
      <TextField label="Date of Birth" type="date" autoComplete="bday" {...field('birthday')} />
      <TextField label="Contact" type="tel" autoComplete="tel" {...field('phone')} />
      <SelectField label="Sex" autoComplete="sex" {...field('sex')}>
        <option value="">Not specified</option>
        {sexes.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
      <TextArea label="Bio" rows={4} className="md:col-span-2" {...field('bio')} />
      <TextField
        label="Profile picture link"
        type="url"
        hint="Image URL"
        className="md:col-span-2"
        {...field('photo')}
      />
      <FileUpload
        route="addPhoto"
        {...pictureFile}
        label="Choose a profile picture"
        hint={`Or drop one here: ${pictureFile.hint}. It is saved immediately.`}
        onBusy={setUploading}
        onUploaded={({ photo: uploaded }) => {
          form.setValue('photo', uploaded)
          void loadSession()
        }}
        className="md:col-span-2"
      />
      {failure !== undefined && (
        <div className="md:col-span-2">
          <Alert>{readMessage(failure)}</Alert>
        </div>
      )}
      <div className="flex flex-wrap gap-3 md:col-span-2">
        <BusyButton type="submit" busy={isSubmitting} disabled={isUploading}>
          Update
        </BusyButton>
        <Button variant="quiet" aria-disabled={isSubmitting} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
