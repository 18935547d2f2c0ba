import type { Kysely } from 'kysely'
import type { NewNote, StaffNote } from '../../../../contract/notes.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction, newId } from '../../../platform/database/database.ts'
import { ShopError } from '../../../platform/errors.ts'
import { lockOrder } from '../repository.ts'
import { refreshDocument } from '../search/repository.ts'
import * as queries from './queries.ts'
import * as repository from './repository.ts'

const present = ({ id, body, tags, created_at, author }: queries.NoteRow): StaffNote => ({
  id,
  body,
  tags,
  at: created_at.toISOString(),
  by: author,
})

/** Lists the notes of an order or a person, newest first. */
export const listNotes = async (db: Kysely<Database>, subject: queries.NoteSubject): Promise<StaffNote[]> =>
  (await queries.listNotes(db, subject)).map(present)

/**
 * Adds a note of an order or a person.
 *
 * @throws ORDER_NOT_FOUND, USER_NOT_FOUND
 */
export function addNote(
  db: Kysely<Database>,
  { orderId, email, body }: NewNote,
  author: Actor,
): Promise<StaffNote> {
  return inTransaction(db, async (tx) => {
    if (orderId !== undefined && !(await lockOrder(tx, orderId))) throw new ShopError('ORDER_NOT_FOUND')
    if (email !== undefined && !(await queries.isKnownEmail(tx, email))) throw new ShopError('USER_NOT_FOUND')
    const id = newId()
    await repository.insertNote(tx, {
      id,
      order_id: orderId ?? null,
      email: email ?? null,
      body,
      author_id: author.customerId,
    })
    if (orderId !== undefined) await refreshDocument(tx, orderId)
    return present(await queries.requireNote(tx, id))
  })
}

/** Removes a note. @throws NOT_FOUND; this includes a removed one */
export async function removeNote(db: Kysely<Database>, id: string, removedBy: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    const note = await queries.findNote(tx, id)
    if (!note) throw new ShopError('NOT_FOUND')
    if (note.order_id !== null) await lockOrder(tx, note.order_id)
    if (!(await repository.removeNote(tx, id, removedBy.customerId))) throw new ShopError('NOT_FOUND')
    if (note.order_id !== null) await refreshDocument(tx, note.order_id)
  })
}
