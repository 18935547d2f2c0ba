import * as z from 'zod/mini'
import { email, id } from './fields.ts'
import { staffRoles } from './permissions.ts'

/** A person with a role. `changedAt` is in ISO 8601; `changedBy` is missing if the shop itself gave the role. */
export const StaffMember = z.object({
  email: z.string(),
  name: z.string(),
  role: z.enum(staffRoles),
  /** Whether they have two-step login. */
  twoStep: z.boolean(),
  changedAt: z.optional(z.string()),
  changedBy: z.optional(z.string()),
})
export type StaffMember = z.infer<typeof StaffMember>

/** Fields of someone on the staff who has changed something: their name, and the role that they had then, if they are known. */
export const staffActor = { name: z.optional(z.string()), staffRole: z.optional(z.enum(staffRoles)) }

/** An invitation that is neither accepted nor revoked. `invitedBy`: an email; `expiresAt` in ISO 8601. */
export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(staffRoles),
  invitedBy: z.string(),
  expiresAt: z.string(),
  expired: z.boolean(),
})
export type Invitation = z.infer<typeof Invitation>

export const StaffList = z.object({ staff: z.array(StaffMember), invitations: z.array(Invitation) })

/** `null`: the person is a customer again. */
export const RoleChange = z.strictObject({ role: z.nullable(z.enum(staffRoles)) })

export const NewInvitation = z.object({
  email,
  role: z.enum(staffRoles, 'Choose a role'),
})
export type NewInvitation = z.infer<typeof NewInvitation>

export const InvitationId = z.object({ id })

/** `link`: only if the shop sends no email. The inviter passes it on; no call returns it again. */
export const SentInvitation = z.extend(Invitation, { link: z.optional(z.string()) })
export type SentInvitation = z.infer<typeof SentInvitation>

/** The text after the `#` of the link. */
export const InvitationToken = z.object({ token: id })

export const InvitationOffer = z.object({ shop: z.string(), role: z.enum(staffRoles) })
export type InvitationOffer = z.infer<typeof InvitationOffer>

export const AcceptedInvitation = z.object({ role: z.enum(staffRoles) })
