import { type Kysely, sql } from 'kysely'
import type { StaffRole } from '../../../contract/permissions.ts'
import type { OpenStep } from '../../../contract/two-step.ts'
import type { Database } from '../../../db/schema.ts'
import type { SignIn } from '../../platform/actor.ts'
import type { Customer } from './repository.ts'

interface IdentifiedCaller extends Pick<Customer, 'id' | 'email' | 'token_version'> {
  role: StaffRole | null
  openStep: OpenStep | null
}

/** The time for which a sign-in has passed the second step. */
const passTime = sql`interval '30 days'`

/**
 * Reads a caller, and the step that their sign-in still needs, with one statement. For customers, who need none, it reads
 * no other table.
 *
 * @param signIn null if the token does not name its sign-in: such a sign-in has passed nothing
 */
export async function findCaller(
  db: Kysely<Database>,
  customerId: string,
  signIn: SignIn | null,
): Promise<IdentifiedCaller | undefined> {
  const { rows } = await sql<IdentifiedCaller>`
    select id, email, case when is_owner then 'owner' else role end as role, token_version,
      case
        when role is null then null
        when exists (
          select from two_step_sign_ins
          where issuer = ${signIn?.issuer ?? null} and sid = ${signIn?.sid ?? null} and customer_id = customers.id
            and confirmed_at > now() - ${passTime}
        ) then null
        when exists (select from two_step_logins where customer_id = customers.id and confirmed_at is not null)
          then 'TWO_STEP_REQUIRED'
        when exists (select from shop_settings where name = 'two_step' and value ->> 'staff' = 'required')
          then 'TWO_STEP_NOT_SET_UP'
      end as "openStep"
    from customers where id = ${customerId}`.execute(db)
  return rows[0]
}

/** Deletes the sign-ins whose time is over. */
export async function deleteOldSignIns(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from two_step_sign_ins where confirmed_at < now() - ${passTime}`.execute(db)
}
