import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'

/** The order of a note, or the email of its person. */
export type NoteSubject = { orderId: string } | { email: string }

/** A note, with its tags and the email of its author. */
export type NoteRow = Awaited<ReturnType<typeof listNotes>>[number]

const maxNotes = 100

const notes = (db: Kysely<Database>) =>
  db
    .selectFrom('staff_notes')
    .innerJoin('customers', 'customers.id', 'author_id')
    .select(['staff_notes.id', 'body', 'staff_notes.created_at', 'customers.email as author'])
    .select(sql<string[]>`note_tags(body)`.as('tags'))
    .where('removed_at', 'is', null)

/** Lists the newest 100 notes of an order or a person, newest first. */
export const listNotes = (db: Kysely<Database>, subject: NoteSubject) =>
  ('orderId' in subject
    ? notes(db).where('order_id', '=', subject.orderId)
    : notes(db).where('staff_notes.email', '=', subject.email)
  )
    .orderBy('staff_notes.created_at', 'desc')
    .orderBy('staff_notes.id')
    .limit(maxNotes)
    .execute()

export const requireNote = (db: Kysely<Database>, id: string): Promise<NoteRow> =>
  notes(db).where('staff_notes.id', '=', id).executeTakeFirstOrThrow()

/** Returns the order of a note that is not removed; undefined if there is no such note. */
export const findNote = (db: Kysely<Database>, id: string) =>
  db
    .selectFrom('staff_notes')
    .select('order_id')
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()

/** Returns whether there is an account or an order with this email. */
export async function isKnownEmail(db: Kysely<Database>, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from customers where email = ${email}
    union all (select from orders where customer_id is null and customer_email = ${email} limit 1)
    limit 1`.execute(db)
  return rows.length > 0
}
