import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { StartupError } from '../../platform/errors.ts'
import * as repository from './repository.ts'
import { listKeys, type PictureStore } from './store.ts'

interface Move {
  db: Kysely<Database>
  from: PictureStore
  to: PictureStore
  /** Removes the files of a picture from `from` after all of them are equal in `to`. */
  removeSource: boolean
  /** Ends the work after the current picture. */
  signal: AbortSignal
  onProgress: (message: string) => void
}

interface MoveResult {
  pictures: number
  /** Files that were copied; the others were already equal. */
  copiedFiles: number
  /** Pictures with files that neither store has. */
  incomplete: string[]
}

/**
 * Copies the files of all pictures to another store and compares each one there. Can be interrupted and repeated, and
 * the shop may run.
 *
 * @throws StartupError if a file differs after it was copied; PICTURE_STORE_UNAVAILABLE
 */
export async function movePictures({ db, from, to, removeSource, signal, onProgress }: Move) {
  const result: MoveResult = { pictures: 0, copiedFiles: 0, incomplete: [] }
  let last: string | undefined = ''
  while (last !== undefined && !signal.aborted) {
    const after: string = last
    last = await db.transaction().execute(async (tx) => {
      // A picture must not be deleted while its files are copied: they would stay in the other store.
      const picture = await repository.lockNext(tx, after)
      if (!picture) return undefined
      const keys = listKeys(picture.hash, picture.widest)
      const outcomes = await Promise.all(keys.map((key) => copyFile(key, from, to)))
      result.pictures++
      result.copiedFiles += outcomes.filter((outcome) => outcome === 'copied').length
      if (outcomes.includes('missing')) result.incomplete.push(picture.hash)
      else if (removeSource) await Promise.all(keys.map((key) => from.remove(key)))
      return picture.hash
    })
    if (last !== undefined && result.pictures % 100 === 0) onProgress(`${result.pictures} pictures`)
  }
  return result
}

async function copyFile(
  key: repository.PictureKey,
  from: PictureStore,
  to: PictureStore,
): Promise<'copied' | 'equal' | 'missing'> {
  const [content, existing] = await Promise.all([from.get(key), to.get(key)])
  // An earlier run has moved it.
  if (!content) return existing ? 'equal' : 'missing'
  if (existing?.equals(content)) return 'equal'
  await to.put(key, content)
  const copy = await to.get(key)
  if (copy?.equals(content)) return 'copied'
  throw new StartupError(
    `The copy of ${key.hash}-${key.width}.${key.format} differs from the original. Check the target store, then run the command again.`,
  )
}
