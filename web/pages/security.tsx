import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { NewPassword } from '../../contract/customers.ts'
import { email } from '../../contract/fields.ts'
import { AuthForm, confirmPasswordField, newPasswordField } from '../features/identity/auth-form.tsx'
import { MailboxNote } from '../features/identity/email-link.tsx'
import {
  changePassword,
  readAccount,
  requestEmailChange,
  signOutEverywhere,
} from '../features/identity/provider.ts'
import { useUser } from '../features/identity/session.ts'
import { forgetSession } from '../features/identity/session-actions.ts'
import { TwoStepLogin } from '../features/identity/two-step.tsx'
import { readStaffRole } from '../features/staff/permissions.tsx'
import { QueryError } from '../query-error.tsx'
import { useSettings } from '../router/router.tsx'
import { Notice } from '../ui/alert.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Security' })

const requiredPassword = z.string().check(z.minLength(1, 'Password is required'))
const PasswordChange = z.extend(NewPassword, { currentPassword: requiredPassword })
const EmailChange = z.object({ email, password: requiredPassword })
const currentPasswordField = {
  label: 'Current Password',
  type: 'password',
  autoComplete: 'current-password',
}

/** Password, email and sessions of the account. */
export default function Security() {
  const user = useUser()
  const { _id: customerId } = user
  const role = readStaffRole(user)
  const account = useQuery({ queryKey: ['account', customerId], queryFn: readAccount })
  return (
    <>
      <PageHead title="Security" />
      {account.data ? (
        <div className="flex max-w-narrow flex-col gap-10 pb-12">
          <Password hasPassword={account.data.hasPassword} />
          {account.data.hasPassword && <NewEmail />}
          {role && (
            <Section title="Two-step login">
              <TwoStepLogin mayRequire={role === 'owner'} />
            </Section>
          )}
          <Sessions />
        </div>
      ) : account.isError ? (
        <QueryError title="Your account could not be loaded" query={account} />
      ) : (
        <FullSpinner />
      )}
    </>
  )
}

function Password({ hasPassword }: { hasPassword: boolean }) {
  const [isChanged, setChanged] = useState(false)
  return (
    <Section title="Password">
      {!hasPassword && <p>Your account has no password. You sign in with Google.</p>}
      {isChanged && (
        <Notice title="Your password was changed">
          <p>All other devices have been logged out.</p>
        </Notice>
      )}
      {hasPassword && !isChanged && (
        <AuthForm
          schema={PasswordChange}
          fields={{
            currentPassword: currentPasswordField,
            password: { ...newPasswordField, label: 'New Password' },
            confirmPassword: confirmPasswordField,
          }}
          submitLabel="Change password"
          send={async ({ currentPassword, password }) => {
            await changePassword({ currentPassword, password })
            setChanged(true)
          }}
        />
      )}
    </Section>
  )
}

function NewEmail() {
  const user = useUser()
  const { mail } = useSettings()
  const [sentTo, setSentTo] = useState('')
  const [schema] = useState(() =>
    EmailChange.check(
      z.refine((change) => change.email !== user.email, {
        path: ['email'],
        error: 'This is your email already',
      }),
    ),
  )
  return (
    <Section title="Email">
      <p>
        Your email is <strong className="break-all">{user.email}</strong>.
      </p>
      {mail === 'off' && <p>This shop does not send email, so it cannot be changed here.</p>}
      {sentTo && (
        <Notice title="Check your new mailbox">
          <p>
            We have sent a link to <span className="break-all">{sentTo}</span>. Open it and confirm the
            change. It expires in one hour.
          </p>
          {mail === 'mailbox' && <MailboxNote />}
        </Notice>
      )}
      {mail !== 'off' && !sentTo && (
        <AuthForm
          schema={schema}
          fields={{
            email: { label: 'New Email', type: 'email', autoComplete: 'email' },
            password: currentPasswordField,
          }}
          submitLabel="Change email"
          send={async (values) => {
            await requestEmailChange(values)
            setSentTo(values.email)
          }}
        />
      )}
    </Section>
  )
}

function Sessions() {
  return (
    <Section title="Devices">
      <p>Log out on all devices, including this one.</p>
      <AuthForm
        schema={z.object({})}
        fields={{}}
        submitLabel="Log out everywhere"
        send={async () => {
          await signOutEverywhere()
          forgetSession()
          showToast('success', 'You are logged out on all devices')
        }}
      />
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="font-display text-2xl font-bold">{title}</h2>
      {children}
    </section>
  )
}
