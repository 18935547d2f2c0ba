import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database } from '../../../../db/schema.ts'

export async function insertNote(
  db: Kysely<Database>,
  note: Insertable<Database['staff_notes']>,
): Promise<void> {
  await db.insertInto('staff_notes').values(note).execute()
}

/** Returns false if the note is already removed. */
export async function removeNote(db: Kysely<Database>, id: string, removedBy: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('staff_notes')
    .set({ removed_at: sql<Date>`now()`, removed_by: removedBy })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Moves the notes about a person to a new email. */
export async function moveNotes(db: Kysely<Database>, from: string, to: string): Promise<void> {
  await db
    .updateTable('staff_notes')
    .set({ email: to })
    .where('email', '=', from)
    .where('removed_at', 'is', null)
    .execute()
}
