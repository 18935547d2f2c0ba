import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate, formatMoment } from '../../contract/dates.ts'
import { mayGiveRole } from '../../contract/permissions.ts'
import type { Invitation, SentInvitation, StaffMember } from '../../contract/staff.ts'
import { readMessage } from '../api.ts'
import { ConfirmChange } from '../confirm-change.tsx'
import { useUser } from '../features/identity/session.ts'
import { ChangeRole } from '../features/staff/change-role.tsx'
import { InvitationLink, Invite } from '../features/staff/invite.tsx'
import { roleNames, usePermissions } from '../features/staff/permissions.tsx'
import {
  staffQuery,
  useResendInvitation,
  useResetTwoStep,
  useRevokeInvitation,
} from '../features/staff/queries.ts'
import { QueryError } from '../query-error.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { Button } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Email } from '../ui/email.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { EmptyState } from '../ui/states.tsx'
import { showToast } from '../ui/toasts.tsx'

export const meta = () => ({ title: 'Staff' })

/** The people with a role, and the open invitations. */
export default function Staff() {
  const list = useQuery(staffQuery)
  const [isInviting, setInviting] = useState(false)
  const [changed, setChanged] = useState<StaffMember | null>(null)
  const [reset, setReset] = useState<StaffMember | null>(null)
  const [revoked, setRevoked] = useState<Invitation | null>(null)
  const [sent, setSent] = useState<SentInvitation | null>(null)
  const announce = (invitation: SentInvitation) => {
    setInviting(false)
    setSent(invitation)
    if (!invitation.link) showToast('success', `Invitation sent to ${invitation.email}`)
  }
  return (
    <>
      <PageHead title="Staff" note="The people who work in the shop, and what each of them may do.">
        <Button onClick={() => setInviting(true)}>Invite</Button>
      </PageHead>
      {list.data ? (
        <div className="flex flex-col gap-10 pb-10">
          <People staff={list.data.staff} onChange={setChanged} onReset={setReset} />
          <section aria-labelledby="invitations">
            <h2 id="invitations" className="mb-3 font-display text-xl font-bold">
              Invitations
            </h2>
            <Invitations invitations={list.data.invitations} onResent={announce} onRevoke={setRevoked} />
          </section>
        </div>
      ) : list.isError ? (
        <QueryError title="The staff could not be loaded" query={list} />
      ) : (
        <FullSpinner />
      )}
      {isInviting && <Invite onSent={announce} onClose={() => setInviting(false)} />}
      {changed && <ChangeRole person={changed} onClose={() => setChanged(null)} />}
      {reset && <ResetTwoStep person={reset} onClose={() => setReset(null)} />}
      {revoked && <Revoke invitation={revoked} onClose={() => setRevoked(null)} />}
      {sent?.link && <InvitationLink email={sent.email} link={sent.link} onClose={() => setSent(null)} />}
    </>
  )
}

interface PeopleProps {
  staff: StaffMember[]
  onChange: (person: StaffMember) => void
  /** Opens the question before a reset of two-step login. */
  onReset: (person: StaffMember) => void
}

function People({ staff, onChange, onReset }: PeopleProps) {
  const { email: own } = useUser()
  const permissions = usePermissions()
  const columns: Column<StaffMember>[] = [
    {
      head: 'Name',
      names: true,
      cell: ({ name, email }) => (
        <>
          {name || '–'} {email === own && <span className="font-normal text-quiet">(you)</span>}
          <span className="block text-sm font-normal text-quiet">
            <Email email={email} />
          </span>
        </>
      ),
    },
    { head: 'Role', cell: ({ role }) => roleNames[role] },
    { head: 'Two-step login', cell: ({ twoStep }) => (twoStep ? 'On' : 'Off') },
    {
      head: 'Last change',
      cell: ({ changedAt, changedBy }) =>
        changedAt ? (
          <>
            <time dateTime={changedAt} className="tabular-nums">
              {formatMoment(changedAt)}
            </time>
            <span className="block text-sm text-quiet">
              by {changedBy ? <Email email={changedBy} /> : 'the shop'}
            </span>
          </>
        ) : (
          '–'
        ),
    },
    {
      head: 'Action',
      actions: true,
      cell: (person) =>
        person.email !== own && (
          <span className="flex flex-wrap justify-end gap-2">
            {mayGiveRole(permissions, person.role) && (
              <Button
                variant="quiet"
                size="small"
                aria-label={`Change role of ${person.name || person.email}`}
                onClick={() => onChange(person)}
              >
                Change role
              </Button>
            )}
            {person.twoStep && permissions.has('owners') && (
              <Button
                variant="danger"
                size="small"
                aria-label={`Reset two-step login of ${person.name || person.email}`}
                onClick={() => onReset(person)}
              >
                Reset two-step login
              </Button>
            )}
          </span>
        ),
    },
  ]
  return <DataTable caption="Staff" columns={columns} rows={staff} rowKey={({ email }) => email} />
}

interface InvitationsProps {
  invitations: Invitation[]
  onResent: (sent: SentInvitation) => void
  onRevoke: (invitation: Invitation) => void
}

function Invitations({ invitations, onResent, onRevoke }: InvitationsProps) {
  const permissions = usePermissions()
  const resend = useResendInvitation()
  if (invitations.length === 0) {
    return (
      <EmptyState title="No open invitations">
        Invite people to give each of them a login of their own, with the role that they need.
      </EmptyState>
    )
  }
  const columns: Column<Invitation>[] = [
    { head: 'Email', names: true, cell: ({ email }) => <Email email={email} /> },
    { head: 'Role', cell: ({ role }) => roleNames[role] },
    { head: 'Invited by', cell: ({ invitedBy }) => <Email email={invitedBy} /> },
    {
      head: 'Valid until',
      cell: ({ expiresAt, expired }) =>
        expired ? 'Expired' : <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>,
    },
    {
      head: 'Action',
      actions: true,
      cell: (invitation) =>
        mayGiveRole(permissions, invitation.role) && (
          <span className="flex flex-wrap justify-end gap-2">
            <BusyButton
              variant="quiet"
              size="small"
              busy={resend.isPending && resend.variables === invitation.id}
              aria-label={`Resend the invitation of ${invitation.email}`}
              onClick={() =>
                resend.mutate(invitation.id, {
                  onSuccess: onResent,
                  onError: (error) => showToast('error', readMessage(error)),
                })
              }
            >
              Resend
            </BusyButton>
            <Button
              variant="danger"
              size="small"
              aria-label={`Revoke the invitation of ${invitation.email}`}
              onClick={() => onRevoke(invitation)}
            >
              Revoke
            </Button>
          </span>
        ),
    },
  ]
  return <DataTable caption="Invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} />
}

function ResetTwoStep({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  return (
    <ConfirmChange
      title="Reset two-step login"
      change={useResetTwoStep()}
      input={person.email}
      done="Two-step login was reset"
      onClose={onClose}
    >
      {person.email} can log in without a code until they set up two-step login again. Make sure by telephone
      that they have asked for it.
    </ConfirmChange>
  )
}

function Revoke({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  return (
    <ConfirmChange
      title="Revoke invitation"
      change={useRevokeInvitation()}
      input={invitation.id}
      done="Invitation revoked"
      onClose={onClose}
    >
      The link that {invitation.email} received stops working.
    </ConfirmChange>
  )
}
