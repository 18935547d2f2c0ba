import type { Kysely } from 'kysely'
import type { StaffRole } from '../../../../contract/permissions.ts'
import type {
  Invitation,
  InvitationOffer,
  NewInvitation,
  SentInvitation,
} from '../../../../contract/staff.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor, Caller } from '../../../platform/actor.ts'
import { inTransaction, newId } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { type EmailRenderers, emailContents, type Outbox } from '../../mail/service.ts'
import { findCustomerByEmail } from '../repository.ts'
import { changeRoleBy, requireGiver } from '../staff/service.ts'
import type { InvitationLinks } from './links.ts'
import * as repository from './repository.ts'

/** Attempts to read an invitation from a network. */
export const invitationLimits = { invitationsPerIp: { max: 30, seconds: 15 * 60 } }

const maxOpenInvitations = 100

export interface InvitationServices {
  links: InvitationLinks
  /** Null if the shop does not send email: the inviter passes the link on. */
  outbox: Outbox | null
  rateLimiter: RateLimiter<keyof typeof invitationLimits>
  readShopName: (db: Kysely<Database>) => Promise<string>
}

type Deps = InvitationServices & { db: Kysely<Database> }

/** Lists the open invitations by email; expired ones too. */
export const listInvitations = async (db: Kysely<Database>): Promise<Invitation[]> =>
  (await repository.listOpenInvitations(db)).map(presentInvitation)

const presentInvitation = ({ id, email, role, inviter, expires_at, is_expired }: repository.Invitation) => ({
  id,
  email,
  role,
  invitedBy: inviter,
  expiresAt: expires_at.toISOString(),
  expired: is_expired,
})

/**
 * Invites a person by email to become staff.
 *
 * @throws ALREADY_STAFF, INVITATION_OPEN, TOO_MANY_INVITATIONS, ROLE_NOT_YOURS_TO_GIVE, ADMIN_REQUIRED, NOT_ALLOWED
 */
export async function invite(
  deps: Deps,
  { email, role }: NewInvitation,
  inviter: Actor,
): Promise<SentInvitation> {
  const id = newId()
  return send(deps, id, async (tx) => {
    await requireGiver(tx, inviter, role)
    if ((await findCustomerByEmail(tx, email))?.role) throw new ShopError('ALREADY_STAFF')
    await repository.revokeExpired(tx, email)
    if ((await repository.countOpenInvitations(tx)) >= maxOpenInvitations) {
      throw new ShopError('TOO_MANY_INVITATIONS')
    }
    const invitation = { id, email, role, invited_by: inviter.customerId }
    if (!(await repository.insertInvitation(tx, invitation))) throw new ShopError('INVITATION_OPEN')
  })
}

/**
 * Sends an invitation again, with a new link and a new lifetime. The earlier link is void.
 *
 * @throws INVITATION_OVER, ROLE_NOT_YOURS_TO_GIVE, ADMIN_REQUIRED, NOT_ALLOWED
 */
export async function resendInvitation(deps: Deps, id: string, inviter: Actor): Promise<SentInvitation> {
  return send(deps, id, async (tx) => {
    await requireOpen(tx, id, inviter)
    const isOpen = await repository.renewInvitation(tx, { id, invited_by: inviter.customerId })
    if (!isOpen) throw new ShopError('INVITATION_OVER')
  })
}

/** Changes an invitation and queues its email in one transaction. Returns it, with its link if the shop sends no email. */
async function send(
  { db, outbox, links }: Deps,
  id: string,
  change: (tx: Kysely<Database>) => Promise<void>,
): Promise<SentInvitation> {
  const invitation = await inTransaction(db, async (tx) => {
    await change(tx)
    const changed = await repository.findOpenInvitation(tx, id)
    if (!changed) throw new ShopError('INVITATION_OVER')
    // Replaces an email that is being sent, whose link has expired.
    await outbox?.withdraw(tx, 'invitation', id)
    await outbox?.enqueue(tx, 'invitation', changed.email, id)
    return changed
  })
  outbox?.wake()
  return { ...presentInvitation(invitation), link: outbox ? undefined : links.toUrl(invitation) }
}

/** @throws INVITATION_OVER, ROLE_NOT_YOURS_TO_GIVE, ADMIN_REQUIRED, NOT_ALLOWED */
export async function revokeInvitation({ db, outbox }: Deps, id: string, caller: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireOpen(tx, id, caller)
    if (!(await repository.revokeInvitation(tx, id))) throw new ShopError('INVITATION_OVER')
    await outbox?.withdraw(tx, 'invitation', id)
  })
}

async function requireOpen(tx: Kysely<Database>, id: string, caller: Actor): Promise<void> {
  const invitation = await repository.findOpenInvitation(tx, id)
  if (!invitation) throw new ShopError('INVITATION_OVER')
  await requireGiver(tx, caller, invitation.role)
}

/** @throws INVITATION_OVER */
async function requireValid(
  { db, links }: Pick<Deps, 'db' | 'links'>,
  token: string,
): Promise<repository.Invitation> {
  const invitation = await repository.findOpenInvitation(db, links.readId(token))
  if (!invitation || !links.isValid(invitation, token) || invitation.is_expired) {
    throw new ShopError('INVITATION_OVER')
  }
  return invitation
}

/**
 * Returns what a link offers. No email: the link may be in the wrong hands.
 *
 * @throws INVITATION_OVER, TOO_MANY_REQUESTS
 */
export async function readInvitation(deps: Deps, token: string, ip: string): Promise<InvitationOffer> {
  await deps.rateLimiter.countIp('invitationsPerIp', ip)
  const { role } = await requireValid(deps, token)
  return { shop: await deps.readShopName(deps.db), role }
}

/** Refusals of the inviter, who may have lost the right since. */
const inviterCodes = ['ADMIN_REQUIRED', 'NOT_ALLOWED', 'ROLE_NOT_YOURS_TO_GIVE', 'OWN_ROLE']

/**
 * Gives the caller the role of an invitation, on behalf of its inviter.
 *
 * @throws INVITATION_OVER. This includes an inviter who may not give the role any more. INVITATION_NOT_YOURS for another email
 */
export async function acceptInvitation(deps: Deps, token: string, caller: Caller): Promise<StaffRole> {
  return inTransaction(deps.db, async (tx) => {
    const invitation = await requireValid({ ...deps, db: tx }, token)
    const { role, email, invited_by } = invitation
    if (email !== caller.email) throw new ShopError('INVITATION_NOT_YOURS')
    const inviter = { customerId: invited_by, ip: null }
    const isChanged = await changeRoleBy(tx, inviter, caller.customerId, () => role).catch(
      (error: unknown) => {
        if (error instanceof ShopError && inviterCodes.includes(error.code)) return false
        throw error
      },
    )
    if (!isChanged || !(await repository.acceptInvitation(tx, invitation, caller.customerId))) {
      throw new ShopError('INVITATION_OVER')
    }
    return role
  })
}

/** Creates the email about an invitation. It is not sent if the invitation is over. */
export const createInvitationEmails = (links: InvitationLinks) =>
  ({
    async invitation(tx, { subject: id }) {
      const invitation = await repository.findOpenInvitation(tx, id)
      if (!invitation || invitation.is_expired) return null
      const { email, role } = invitation
      return emailContents.invitation(links.toUrl(invitation), { email, role })
    },
  }) satisfies Partial<EmailRenderers>
