import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database, InvitationsTable } from '../../../../db/schema.ts'

/** `inviter`: the email of the person who sent it last. */
export type Invitation = Pick<
  Selectable<InvitationsTable>,
  'id' | 'email' | 'role' | 'version' | 'invited_by' | 'expires_at'
> & { inviter: string; is_expired: boolean }

const lifetime = sql<Date>`now() + interval '7 days'`

/** Invitations that are neither accepted nor revoked; expired ones too. */
const openInvitations = (db: Kysely<Database>) =>
  db
    .selectFrom('invitations')
    .innerJoin('customers as inviters', 'inviters.id', 'invited_by')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.role',
      'version',
      'invited_by',
      'expires_at',
      'inviters.email as inviter',
      sql<boolean>`expires_at <= now()`.as('is_expired'),
    ])
    .where('accepted_by', 'is', null)
    .where('revoked_at', 'is', null)

export const listOpenInvitations = (db: Kysely<Database>): Promise<Invitation[]> =>
  openInvitations(db).orderBy('invitations.email').execute()

export const findOpenInvitation = (db: Kysely<Database>, id: string): Promise<Invitation | undefined> =>
  openInvitations(db).where('invitations.id', '=', id).executeTakeFirst()

export async function countOpenInvitations(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('accepted_by', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns false if the email has an open invitation. Waits for a concurrent one. */
export async function insertInvitation(
  tx: Kysely<Database>,
  invitation: Pick<Invitation, 'id' | 'email' | 'role' | 'invited_by'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into invitations (id, email, role, invited_by, expires_at)
    values (${invitation.id}, ${invitation.email}, ${invitation.role}, ${invitation.invited_by}, ${lifetime})
    on conflict (email) where accepted_by is null and revoked_at is null do nothing
    returning id`.execute(tx)
  return rows.length > 0
}

/** Starts a new lifetime with a new version, which voids the earlier link. Returns false if it is not open any more. */
export async function renewInvitation(
  tx: Kysely<Database>,
  { id, invited_by }: Pick<Invitation, 'id' | 'invited_by'>,
): Promise<boolean> {
  const { rows } = await sql`
    update invitations set version = version + 1, invited_by = ${invited_by}, expires_at = ${lifetime}
    where id = ${id} and accepted_by is null and revoked_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Returns false if the invitation is not open any more, has expired, or was sent again. */
export async function acceptInvitation(
  tx: Kysely<Database>,
  { id, version }: Pick<Invitation, 'id' | 'version'>,
  customerId: string,
): Promise<boolean> {
  const { rows } = await sql`
    update invitations set accepted_by = ${customerId}
    where id = ${id} and version = ${version} and accepted_by is null and revoked_at is null and expires_at > now()
    returning id`.execute(tx)
  return rows.length > 0
}

/** Returns false if the invitation is not open any more. */
export async function revokeInvitation(tx: Kysely<Database>, id: string): Promise<boolean> {
  const { rows } = await sql`
    update invitations set revoked_at = now()
    where id = ${id} and accepted_by is null and revoked_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Revokes the open invitation of an email, if there is one. */
export async function revokeInvitationTo(tx: Kysely<Database>, email: string): Promise<void> {
  await sql`
    update invitations set revoked_at = now()
    where email = ${email} and accepted_by is null and revoked_at is null`.execute(tx)
}

/** Revokes the invitation of an email that has expired, so that it does not block a new one. */
export async function revokeExpired(tx: Kysely<Database>, email: string): Promise<void> {
  await sql`
    update invitations set revoked_at = now()
    where email = ${email} and accepted_by is null and revoked_at is null and expires_at <= now()`.execute(tx)
}

/** Revokes all open invitations, as after a restore: one may have been accepted or revoked since the backup. */
export async function revokeOpenInvitations(db: Kysely<Database>): Promise<void> {
  await sql`update invitations set revoked_at = now() where accepted_by is null and revoked_at is null`.execute(
    db,
  )
}
