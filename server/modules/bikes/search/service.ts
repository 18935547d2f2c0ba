import type { Kysely } from 'kysely'
import type { Bike, BikeMatch, BikeReading, Make } from '../../../../contract/bikes.ts'
import type { Database } from '../../../../db/schema.ts'
import { nearestWords } from '../../../platform/spelling.ts'
import { listBikes, listMakes } from '../repository.ts'
import {
  listNameKeys,
  type NamedMake,
  readBikeSearch,
  readBikeWords,
  readMakeSearch,
  readYear,
  splitWords,
  toAliasKey,
  toPartSearch,
} from '../rules.ts'
import * as queries from './queries.ts'

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
): Promise<BikeReading | null> => readBike(db, correctNames(text, await queries.listNameWords(db)), own, true)

/**
 * Reads a text beside whose unknown words products have been found: one of them may be a misspelled make. Null if none is.
 *
 * @param unknown words of the text
 */
export async function findMisspelledMake(
  db: Kysely<Database>,
  text: string,
  unknown: string[],
  own: Bike | null,
): Promise<BikeReading | null> {
  const keys = unknown.map(toAliasKey)
  const known = await findKnownWords(db, keys)
  const wrong = new Set(keys).difference(known)
  if (![...wrong].some(canCorrect)) return null
  const names = (await listMakes(db)).flatMap(({ make }) => make.split('-'))
  const corrected = correctNames(text, names, (word) => canCorrect(word) && wrong.has(toAliasKey(word)))
  return toAliasKey(corrected) === toAliasKey(text) ? null : readBike(db, corrected, own, false)
}

/** Replaces misspelled words by the nearest name. */
const correctNames = (text: string, names: string[], isWrong = canCorrect): string =>
  splitWords(text)
    .map((word) => {
      const [nearest] = isWrong(word) ? nearestWords(toAliasKey(word), names) : []
      return nearest ?? word
    })
    .join(' ')

const canCorrect = (word: string) => /^[a-z]{5,}$/.test(toAliasKey(word))

async function readBike(
  db: Kysely<Database>,
  text: string,
  own: Bike | null,
  isLoose: boolean,
): Promise<BikeReading | null> {
  const keys = listNameKeys(text)
  if (keys.length === 0) return null
  const { models, makes } = await queries.findNames(db, keys)
  const found = readBikeSearch(text, models, new Map(makes.map(({ key, make }) => [key, make])), isLoose)
  const ofOwn = found?.models.find(({ make, model }) => make === own?.make && model === own.model)
  const [model, ...others] = ofOwn ? [ofOwn] : (found?.models ?? [])
  if (!found || !model) return findMake(db, text, makes, own)
  if (others.length > 0) return { read: null, models: found.models, isOwn: false }

  const all = await listBikes(db, model.make, model.model)
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
  const models = await queries.listModelsOfMake(db, make)
  if (models.length === 0) return null
  const named = await Promise.all(
    found.rest.slice(0, maxModelWords).map(async (word) => {
      const key = toAliasKey(word)
      const isPossible = key.length > 1 && readYear(word) === null
      return {
        word,
        matches: isPossible ? await queries.searchModels(db, [toAliasKey(make), key], {}) : [],
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
  new Set(words.length > 0 ? await queries.findKnownWords(db, words) : [])

const isNamed = (version: string, word: string) => version !== '' && toAliasKey(version) === toAliasKey(word)

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
    const named = await queries.searchModels(db, words, filter)
    const matches =
      named.length > 0 || names.length === 0
        ? named
        : await queries.searchModels(db, names, { ...filter, version })
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
  if (!splitWords(text).some(canCorrect)) return null
  const corrected = correctNames(text, await queries.listNameWords(db))
  return toAliasKey(corrected) === toAliasKey(text) ? null : corrected
}

/** Finds makes whose name begins with a text. */
export async function findMakesByStart(db: Kysely<Database>, text: string): Promise<Make[]> {
  const key = toAliasKey(text)
  return (await listMakes(db)).filter(({ make }) => make.replaceAll('-', '').startsWith(key))
}
