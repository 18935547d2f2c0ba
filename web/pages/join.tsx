import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { getPermissions, type StaffRole } from '../../contract/permissions.ts'
import type { InvitationOffer } from '../../contract/staff.ts'
import { ApiError, call, readMessage } from '../api.ts'
import { AuthForm } from '../features/identity/auth-form.tsx'
import { useEmailLinkToken } from '../features/identity/email-link.tsx'
import { readSession, toReturnState, useSession } from '../features/identity/session.ts'
import { openSession } from '../features/identity/session-actions.ts'
import { staffPages } from '../features/staff/pages.ts'
import { roleNames } from '../features/staff/permissions.tsx'
import { AuthLayout } from '../layouts/auth-layout.tsx'
import { Link, useLocation } from '../router/router.tsx'
import { Alert, Notice } from '../ui/alert.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Email } from '../ui/email.tsx'
import { PartSpinner } from '../ui/spinner.tsx'

export const meta = () => ({ title: 'Join the staff' })

/** The page of the link in an invitation. */
export default function Join() {
  const token = useEmailLinkToken()
  const [offer, setOffer] = useState<InvitationOffer | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [accepted, setAccepted] = useState<StaffRole | null>(null)
  useEffect(() => {
    if (!token) return
    const reading = new AbortController()
    call('readInvitation', { body: { token }, signal: reading.signal }).then(setOffer, (error: unknown) => {
      if (!reading.signal.aborted) setFailure(error)
    })
    return () => reading.abort()
  }, [token])
  return (
    <AuthLayout title="Join the staff">
      {accepted ? (
        <Accepted role={accepted} />
      ) : failure || token === '' ? (
        <>
          <Alert>
            {failure ? readMessage(failure) : 'This link is incomplete. Copy the whole link from the email.'}
          </Alert>
          <LinkButton href="/">Go to the shop</LinkButton>
        </>
      ) : token && offer ? (
        <Offer token={token} offer={offer} onAccept={setAccepted} />
      ) : (
        <PartSpinner className="size-8" />
      )}
    </AuthLayout>
  )
}

interface OfferProps {
  token: string
  offer: InvitationOffer
  onAccept: (role: StaffRole) => void
}

function Offer({ token, offer: { shop, role }, onAccept }: OfferProps) {
  const session = useSession()
  const location = useLocation()
  const invited = (
    <p className="wrap-anywhere">
      You are invited to work for <strong>{shop}</strong>. Your role: <strong>{roleNames[role]}</strong>.
    </p>
  )
  if (session.status === 'loading') return <PartSpinner className="size-8" />
  if (session.status !== 'signed-in') {
    const state = toReturnState(location)
    return (
      <>
        {invited}
        <p>Log in or sign up with the email that was invited. You will return to this page.</p>
        <Link href="/login" state={state} className={buttonClass()}>
          Log in
        </Link>
        <Link href="/signup" state={state} className={buttonClass('quiet')}>
          Sign up
        </Link>
      </>
    )
  }
  const hasRole = async () => {
    await openSession()
    const present = readSession()
    return present.status === 'signed-in' && present.user.staffRole === role
  }
  const accept = async () => {
    try {
      await call('acceptInvitation', { body: { token } })
    } catch (error) {
      // An attempt without a response may have accepted it.
      if (!(error instanceof ApiError && error.code === 'INVITATION_OVER' && (await hasRole()))) throw error
    }
    // The new role has voided the access token.
    await openSession()
    onAccept(role)
  }
  return (
    <>
      {invited}
      <p className="wrap-anywhere">
        You are logged in as <Email email={session.user.email} />.
      </p>
      <AuthForm schema={z.object({})} fields={{}} submitLabel="Accept invitation" send={accept} />
    </>
  )
}

function Accepted({ role }: { role: StaffRole }) {
  const permissions = getPermissions(role)
  const first = staffPages.find(({ permission }) => permissions.has(permission))
  return (
    <>
      <Notice title="Welcome to the staff">
        <p>Your role: {roleNames[role]}.</p>
      </Notice>
      <LinkButton href={`/dashboard/${first?.path}`}>Start</LinkButton>
    </>
  )
}
