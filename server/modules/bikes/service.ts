import type { Kysely } from 'kysely'
import { toBikeSlug } from '../../../contract/bike-urls.ts'
import {
  type Bike,
  type BikeList,
  type BikeMatch,
  type BikeReading,
  type BikesToRemove,
  type EditedMake,
  type EditedModel,
  type Make,
  type ModelSlugs,
  type NewBikes,
  type RemovedBikes,
  toModelRevision,
} from '../../../contract/bikes.ts'
import { defaultFitmentSource } from '../../../contract/fitments.ts'
import type { Database } from '../../../db/schema.ts'
import type { Actor } from '../../platform/actor.ts'
import { lockApplying } from '../../platform/database/advisory-locks.ts'
import { inTransaction, isForeignKeyViolation, isUniqueViolation } from '../../platform/database/database.ts'
import { requireRevision } from '../../platform/database/saved-row.ts'
import { ShopError } from '../../platform/errors.ts'
import { nearestWords } from '../../platform/spelling.ts'
import { recordChange } from '../audit/service.ts'
import * as repository from './repository.ts'
import {
  listNameKeys,
  type NamedMake,
  readAliases,
  readBikeSearch,
  readBikeWords,
  readMakeSearch,
  readYear,
  splitWords,
  toAliasKey,
  toPartSearch,
} from './rules.ts'

export {
  bikeAsJson,
  existBikes,
  findBikes,
  findRenamed,
  lockBikes,
  lockModels,
  toBikeName,
} from './repository.ts'
export { quietWords } from './rules.ts'

/**
 * Lists all makes; also the models of `make` and the bikes of `model`, if they are given.
 *
 * @throws BIKE_NOT_FOUND, INVALID_REQUEST
 */
export async function listBikes(
  db: Kysely<Database>,
  { make, model }: { make?: string | undefined; model?: string | undefined },
): Promise<BikeList> {
  if (model !== undefined && make === undefined) {
    throw new ShopError('INVALID_REQUEST', { fields: { make: 'Make is required' } })
  }
  const makes = await repository.listMakes(db)
  if (make === undefined) return { makes }
  const models = await repository.listModels(db, make)
  if (models.length === 0) throw new ShopError('BIKE_NOT_FOUND')
  if (model === undefined) return { makes, models }
  const [bikes, aliases] = await Promise.all([
    repository.listBikes(db, make, model),
    repository.listAliases(db, { make, model }),
  ])
  if (bikes.length === 0) throw new ShopError('BIKE_NOT_FOUND')
  return { makes, models, bikes, aliases }
}

/**
 * Reads the bike in a search text such as `2009 r6 brake pads`. Null if it names none that the shop has.
 *
 * @param own the bike of the list
 */
export const findBikeSearch = (
  db: Kysely<Database>,
  text: string,
  own: Bike | null = null,
): Promise<BikeReading | null> => readBike(db, text, own, false)

/** Reads a text that matches nothing else: names may be misspelled, or be words with another meaning. */
export const findBikeLoosely = async (
  db: Kysely<Database>,
  text: string,
  own: Bike | null = null,
): Promise<BikeReading | null> =>
  readBike(db, correctNames(text, await repository.listNameWords(db)), own, true)

/** Replaces misspelled words by the nearest name of a make or a model. */
const correctNames = (text: string, names: string[]): string =>
  splitWords(text)
    .map((word) => {
      const key = toAliasKey(word)
      return /^[a-z]{5,}$/.test(key) ? (nearestWords(key, names)[0] ?? word) : word
    })
    .join(' ')

async function readBike(
  db: Kysely<Database>,
  text: string,
  own: Bike | null,
  isLoose: boolean,
): Promise<BikeReading | null> {
  const keys = listNameKeys(text)
  if (keys.length === 0) return null
  const { models, makes } = await repository.findNames(db, keys)
  const found = readBikeSearch(text, models, new Map(makes.map(({ key, make }) => [key, make])), isLoose)
  const ofOwn = found?.models.find(({ make, model }) => make === own?.make && model === own.model)
  const [model, ...others] = ofOwn ? [ofOwn] : (found?.models ?? [])
  if (!found || !model) return findMake(db, text, makes, own)
  if (others.length > 0) return { read: null, models: found.models, isOwn: false }

  const all = await repository.listBikes(db, model.make, model.model)
  const short = found.year === null && found.shortYear ? readYear(`'${found.shortYear}`) : null
  // Two digits beside the model are a year if the shop has the model of that year.
  const isShort = short !== null && all.some((bike) => bike.year === short)
  const year = isShort ? short : found.year
  const rest = isShort ? withoutFirst(found.rest, found.shortYear) : found.rest
  const isOtherYear = year !== null && all.every((bike) => bike.year !== year)
  const bikes = all.filter((bike) => year === null || isOtherYear || bike.year === year)
  const word = rest.find((each) => bikes.some(({ version }) => isNamed(version, each)))
  const named = bikes.filter(({ version }) => (word ? isNamed(version, word) : version === ''))
  const [bike] = named
  if (!bike) return { read: null, models: [model], isOwn: false }
  const years = named.map((each) => each.year)
  const read = {
    make: model.make,
    model: model.model,
    name: named.length > 1 || isOtherYear ? [model.name, bike.version].filter(Boolean).join(' ') : bike.name,
    bikes: named.map(({ id }) => id),
    years,
    isOtherYear,
    rest: toPartSearch(rest.filter((each) => each !== word)),
  }
  const isOwn =
    own !== null &&
    model === ofOwn &&
    !isOtherYear &&
    years.includes(own.year) &&
    (bike.version === '' || bike.version === own.version)
  return { read, models: [], isOwn }
}

const withoutFirst = (words: string[], removed: string | null) =>
  words.filter((word, index) => word !== removed || index !== words.indexOf(word))

/** Reads a make, and the words beside it that begin a part of a model's name, such as `bmw gs`. */
async function findMake(
  db: Kysely<Database>,
  text: string,
  makes: NamedMake[],
  own: Bike | null,
): Promise<BikeReading | null> {
  const found = readMakeSearch(text, makes)
  if (!found) return null
  const { make, name } = found.make
  const models = await repository.listModelsOfMake(db, make)
  if (models.length === 0) return null
  const named = await Promise.all(
    found.rest.slice(0, maxModelWords).map(async (word) => {
      const key = toAliasKey(word)
      const isPossible = key.length > 1 && readYear(word) === null
      return {
        word,
        matches: isPossible ? await repository.searchModels(db, [toAliasKey(make), key], {}) : [],
      }
    }),
  )
  const chosen = named.filter(({ matches }) => matches.length > 0)
  const inAll = models.filter(({ model }) =>
    chosen.every(({ matches }) => matches.some((each) => each.model === model)),
  )
  const read = inAll.length > 0 ? inAll : models
  const used = inAll.length > 0 ? chosen.map(({ word }) => word) : []
  return {
    read: null,
    models: [],
    make: {
      make,
      name,
      models: read.map(({ make, model, name }) => ({ make, model, name })),
      modelIds: read.map(({ id }) => id),
      rest: toPartSearch(found.rest.filter((word) => !used.includes(word) && readYear(word) === null)),
    },
    isOwn: read.some((each) => each.make === own?.make && each.model === own.model),
  }
}

/** Each is compared with all names. */
const maxModelWords = 4

/** Returns the words that a make or a model has in its name, in the form of `toAliasKey`. */
export const findKnownWords = async (db: Kysely<Database>, words: string[]): Promise<Set<string>> =>
  new Set(words.length > 0 ? await repository.findKnownWords(db, words) : [])

const isNamed = (version: string, word: string) => version !== '' && toAliasKey(version) === toAliasKey(word)

/** @throws BIKE_NOT_FOUND */
export async function requireBike(db: Kysely<Database>, id: number): Promise<Bike> {
  const [bike] = await repository.findBikes(db, [id])
  if (!bike) throw new ShopError('BIKE_NOT_FOUND')
  return bike
}

/**
 * Finds models by the words that a rider types, the best match first. The last word may be a version. A year in which none
 * of them was made is ignored. Two digits that are in none of their names may be a year.
 */
export async function findBikeMatches(db: Kysely<Database>, text: string): Promise<BikeMatch[]> {
  const { year, words } = readBikeWords(text)
  if (words.length === 0) return []
  const [version = null, ...names] = words.toReversed()
  for (const each of year === null ? [null] : [year, null]) {
    const filter = { year: each, withYears: each !== year }
    const named = await repository.searchModels(db, words, filter)
    const matches =
      named.length > 0 || names.length === 0
        ? named
        : await repository.searchModels(db, names, { ...filter, version })
    if (matches.length > 0) return matches
  }
  const withShortYear = text.replace(/(?<!\S)\d\d(?!\S)/, "'$&")
  return withShortYear === text ? [] : findBikeMatches(db, withShortYear)
}

/** Finds models like `findBikeMatches`; if there are none, the names may be misspelled. */
export async function searchBikes(db: Kysely<Database>, text: string): Promise<{ matches: BikeMatch[] }> {
  const matches = await findBikeMatches(db, text)
  if (matches.length > 0 || readBikeWords(text).words.length === 0) return { matches }
  const corrected = await correctBikeNames(db, text)
  return { matches: corrected === null ? [] : await findBikeMatches(db, corrected) }
}

/** Replaces misspelled names of makes and models. Null if the text has none. */
export async function correctBikeNames(db: Kysely<Database>, text: string): Promise<string | null> {
  const corrected = correctNames(text, await repository.listNameWords(db))
  return toAliasKey(corrected) === toAliasKey(text) ? null : corrected
}

/** Finds makes whose name begins with a text. */
export async function findMakesByStart(db: Kysely<Database>, text: string): Promise<Make[]> {
  const key = toAliasKey(text)
  return (await repository.listMakes(db)).filter(({ make }) => make.replaceAll('-', '').startsWith(key))
}

/** A bike to add, with the names of its make and model. */
interface NewBike {
  make: string
  model: string
  year: number
  /** Empty: not stated. */
  version?: string
  engineCc?: number | null | undefined
  source: string
}

/**
 * Adds the bikes that the shop does not have, with their makes and models, and one without a version for each year.
 * The products that fit them are listed under them at once. Returns the number of added bikes.
 *
 * @param addedBy the admin, or null if the shop seeds itself
 */
export function addBikes(
  db: Kysely<Database>,
  bikes: NewBike[],
  addedBy: Actor | null = null,
): Promise<number> {
  return inTransaction(db, (tx) =>
    repository.insertBikes(
      tx,
      bikes.map(({ make, model, year, version = '', engineCc = null, source }) => ({
        make,
        make_slug: toBikeSlug(make),
        model,
        model_slug: toBikeSlug(model),
        year,
        version,
        engine_cc: engineCc,
        source,
      })),
      addedBy,
    ),
  )
}

/**
 * Adds the bikes of a model that the shop does not have, and other names of the model.
 *
 * @throws INVALID_REQUEST
 */
export async function addModelBikes(
  db: Kysely<Database>,
  { make, model, yearFrom, yearTo = yearFrom, version, engineCc, aliases = '' }: NewBikes,
  addedBy: Actor,
): Promise<{ make: string; model: string; added: number }> {
  if (yearTo < yearFrom) {
    throw new ShopError('INVALID_REQUEST', { fields: { yearTo: 'The last year is before the first year' } })
  }
  const { keys, error } = readAliases(aliases)
  if (error) throw new ShopError('INVALID_REQUEST', { fields: { aliases: error } })
  const slugs = { make: toBikeSlug(make), model: toBikeSlug(model) }
  return inTransaction(db, async (tx) => {
    await lockApplying(tx)
    const years = Array.from({ length: yearTo - yearFrom + 1 }, (_, index) => yearFrom + index)
    const added = await addBikes(
      tx,
      years.map((year) => ({
        make,
        model,
        year,
        version: version ?? '',
        engineCc,
        source: defaultFitmentSource,
      })),
      addedBy,
    )
    await addBikeAliases(
      tx,
      keys.map((alias) => ({ make, model, alias })),
      addedBy,
    )
    await requireFreeAliases(tx, keys, slugs)
    return { ...slugs, added }
  })
}

/**
 * Renames a make. Its slug follows, so that files, the search box and new bikes find it by its name.
 *
 * @throws BIKE_NOT_FOUND, INVALID_REQUEST
 */
export async function saveMake(
  db: Kysely<Database>,
  make: string,
  { name }: EditedMake,
  savedBy: Actor,
): Promise<{ make: string }> {
  const slug = toBikeSlug(name)
  await inTransaction(db, async (tx) => {
    const previous = await repository.renameMake(tx, make, { name, slug })
    if (previous === undefined) throw new ShopError('BIKE_NOT_FOUND')
    await recordChange(tx, {
      area: 'bikes',
      subject: name,
      before: { make: previous },
      after: { make: name },
      actor: savedBy,
    })
  }).catch((error: unknown) => {
    const isTaken = ['makes_name_key', 'makes_slug_key'].some((key) => isUniqueViolation(error, key))
    throw isTaken
      ? new ShopError('INVALID_REQUEST', { fields: { name: 'Another make has this name' } })
      : error
  })
  return { make: slug }
}

/**
 * Renames a model like a make, and replaces its other names.
 *
 * @param edited without a revision, it overwrites other admins' changes
 * @throws BIKE_NOT_FOUND, INVALID_REQUEST, RECORD_CHANGED
 */
export async function saveModel(
  db: Kysely<Database>,
  slugs: ModelSlugs,
  { name, aliases = '', revision }: EditedModel,
  savedBy: Actor,
): Promise<ModelSlugs> {
  const { keys, error } = readAliases(aliases)
  if (error) throw new ShopError('INVALID_REQUEST', { fields: { aliases: error } })
  const renamed = { make: slugs.make, model: toBikeSlug(name) }
  await inTransaction(db, async (tx) => {
    const previous = await repository.renameModel(tx, slugs, { name, slug: renamed.model })
    if (!previous) throw new ShopError('BIKE_NOT_FOUND')
    const before = await repository.listAliases(tx, renamed)
    await repository.replaceAliases(tx, renamed, keys)
    await requireFreeAliases(tx, keys, renamed)
    const after = await repository.listAliases(tx, renamed)
    requireRevision(
      { before: toModelRevision(previous.model, before), after: toModelRevision(name, after) },
      revision,
    )
    await recordChange(tx, {
      area: 'bikes',
      subject: `${previous.make} ${name}`,
      before: { model: previous.model, aliases: before.join('; ') || null },
      after: { model: name, aliases: after.join('; ') || null },
      actor: savedBy,
    })
  }).catch((error: unknown) => {
    const isTaken = isUniqueViolation(error, 'models_make_id_slug_key')
    throw isTaken
      ? new ShopError('INVALID_REQUEST', { fields: { name: 'Another model of this make has this name' } })
      : error
  })
  return renamed
}

/**
 * Removes bikes that nothing refers to: all versions of the years, or one version. The bike without a version is removed
 * only with the others of its year. A model without bikes is removed as well, and a make without models.
 *
 * @throws BIKE_NOT_FOUND, BIKES_IN_USE, INVALID_REQUEST
 */
export async function removeBikes(
  db: Kysely<Database>,
  { make, model, yearFrom, yearTo = yearFrom, version }: BikesToRemove,
  removedBy: Actor,
): Promise<RemovedBikes> {
  if (yearTo < yearFrom) {
    throw new ShopError('INVALID_REQUEST', { fields: { yearTo: 'The last year is before the first year' } })
  }
  return inTransaction(db, async (tx) => {
    const modelId = await repository.lockModelForUpdate(tx, { make, model })
    if (modelId === undefined) throw new ShopError('BIKE_NOT_FOUND')
    const range = { modelId, yearFrom, yearTo, version: version || null }
    if (await repository.isAnyCovered(tx, range)) throw new ShopError('BIKES_IN_USE')
    const removed = await repository.deleteBikes(tx, range, removedBy)
    if (removed === 0) throw new ShopError('BIKE_NOT_FOUND')
    const deleted = await repository.deleteUnusedModel(tx, modelId)
    if (!deleted) return { removed, make, model }
    await recordDeletion(tx, deleted, removedBy)
    return { removed, make: deleted.isMakeDeleted ? undefined : make }
  }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? new ShopError('BIKES_IN_USE', { cause: error }) : error
  })
}

/** The audit lists what is left: the model and the make have no name any more. */
async function recordDeletion(
  tx: Kysely<Database>,
  { make, model, aliases, isMakeDeleted }: repository.DeletedModel,
  actor: Actor,
): Promise<void> {
  const before = { model, aliases }
  const after = { model: null, aliases: null }
  await recordChange(tx, { area: 'bikes', subject: `${make} ${model}`, before, after, actor })
  if (!isMakeDeleted) return
  await recordChange(tx, { area: 'bikes', subject: make, before: { make }, after: { make: null }, actor })
}

/**
 * Call it after the names are added: that waits for concurrent changes of the same names, and leaves out the taken ones.
 *
 * @throws INVALID_REQUEST if another model has one of these other names
 */
async function requireFreeAliases(tx: Kysely<Database>, keys: string[], slugs: ModelSlugs): Promise<void> {
  const taken = await repository.findTakenAlias(tx, keys, slugs)
  if (taken !== undefined) {
    throw new ShopError('INVALID_REQUEST', { fields: { aliases: `Another bike has this name: ${taken}` } })
  }
}

/** Adds other names of models for the search box. The comparison ignores case and all but letters and digits. */
export function addBikeAliases(
  db: Kysely<Database>,
  aliases: { make: string; model: string; alias: string }[],
  addedBy: Actor | null = null,
): Promise<void> {
  return repository.addAliases(
    db,
    aliases.map(({ make, model, alias }) => ({
      key: toAliasKey(alias),
      make: toBikeSlug(make),
      model: toBikeSlug(model),
    })),
    addedBy,
  )
}
