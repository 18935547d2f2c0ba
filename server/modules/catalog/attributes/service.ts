import type { Kysely } from 'kysely'
import {
  type Attribute,
  type AttributeValues,
  checkAttributeValues,
  type EditedKindAttributes,
  type KindAttributes,
} from '../../../../contract/attributes.ts'
import type { Database } from '../../../../db/schema.ts'
import type { Actor } from '../../../platform/actor.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { requireRevision } from '../../../platform/database/saved-row.ts'
import { ShopError } from '../../../platform/errors.ts'
import { recordChange } from '../../audit/service.ts'
import * as repository from './repository.ts'
import { describeAttribute } from './rules.ts'

/** An export has a column for each attribute of each kind. */
const maxKinds = 100

/** Lists the kinds of parts with attributes. */
export const listAttributes = (db: Kysely<Database>): Promise<KindAttributes[]> => repository.listKinds(db)

/** Returns the attributes of a kind of part; none for a product without a kind. */
export const readAttributes = async (db: Kysely<Database>, kind: string | null): Promise<Attribute[]> =>
  kind === null ? [] : ((await repository.findKind(db, kind))?.attributes ?? [])

/**
 * Replaces the attributes of a kind of part. Products keep their values; a removed attribute hides them.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @param savedBy null if the shop seeds itself
 * @throws RECORD_CHANGED, TOO_MANY_ATTRIBUTES
 */
export function saveAttributes(
  db: Kysely<Database>,
  kind: string,
  { attributes, revision }: Omit<EditedKindAttributes, 'revision'> & { revision?: string },
  savedBy: Actor | null,
): Promise<KindAttributes> {
  const row = { kind, attributes: attributes.map(withoutBlanks) }
  return inTransaction(db, async (tx) => {
    await repository.lockKinds(tx)
    const kinds = await repository.listKinds(tx)
    const stored = kinds.find((each) => each.kind === kind)
    if (!stored && kinds.length >= maxKinds) throw new ShopError('TOO_MANY_ATTRIBUTES')
    const saved =
      row.attributes.length > 0 ? await repository.saveKind(tx, row) : await repository.deleteKind(tx, kind)
    const revisions = saved?.revisions ?? { before: '', after: '' }
    requireRevision(revisions, revision)
    const toLog = (each: repository.KindRow | undefined) =>
      each && each.attributes.length > 0 ? { attributes: each.attributes.map(describeAttribute) } : null
    const [before, after] = [toLog(stored), toLog(row)]
    if (before || after) {
      await recordChange(tx, { area: 'attributes', subject: kind, before, after, actor: savedBy })
    }
    return { ...row, revision: revisions.after }
  })
}

const withoutBlanks = ({ name, type, unit, choices }: Attribute): Attribute => ({
  name,
  type,
  ...(unit && { unit }),
  ...(type === 'choice' && { choices }),
})

/**
 * Replaces the values of a locked product of this kind.
 *
 * @throws INVALID_REQUEST if a value is not valid for the kind
 */
export async function saveValues(
  tx: Kysely<Database>,
  product: { id: string; kind: string | null },
  values: AttributeValues,
): Promise<void> {
  await refuseInvalidValues(tx, product.kind, values)
  await repository.writeValues(tx, product.id, values)
}

/** @throws INVALID_REQUEST if a value is not valid for the kind */
export async function refuseInvalidValues(
  db: Kysely<Database>,
  kind: string | null,
  values: AttributeValues,
): Promise<void> {
  const fields = checkAttributeValues(await readAttributes(db, kind), values)
  if (Object.keys(fields).length > 0) throw new ShopError('INVALID_REQUEST', { fields })
}
