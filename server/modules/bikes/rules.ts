import { toBikeSlug } from '../../../contract/bike-urls.ts'

/** The form in which names of bikes are compared: lower case, only letters and digits. */
export const toAliasKey = (name: string): string => toBikeSlug(name).replaceAll('-', '')

/** Reads other names of a model, separated by semicolons, as keys. `error`: one of them cannot be a name. */
export function readAliases(text: string): { keys: string[]; error?: string } {
  const names = text.split(';').filter((name) => name.trim() !== '')
  const keys = names.map(toAliasKey)
  // `toBikeSlug` makes a word even of signs.
  const isUsable = names.every(hasWord) && keys.every((key) => key.length <= 40)
  if (!isUsable) return { keys, error: 'A name needs a letter or a digit, and has at most 40 characters' }
  // Such a name would match the year in every search for a bike.
  return keys.some(isYearOrRange) ? { keys, error: 'A year cannot be a name' } : { keys }
}

/** A model whose name or alias has this key, in the form of `toAliasKey`. */
export interface NamedModel {
  key: string
  make: string
  model: string
  name: string
}

/** A make whose name, or its first word, has this key. */
export interface NamedMake {
  key: string
  make: string
  name: string
}

/** The longest name of a model or a make, in words. */
const maxNameWords = 4

const maxSearchWords = 20

/** Each has two expressions, which are compared with all names. Postgres caches 32, and compiles others each time. */
const maxBikeWords = 8

const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text)

/** Without signs around them, such as brackets and commas. `'09` is a year, and `GT+` is a name. */
export const splitWords = (text: string) =>
  text
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}'’]+|[^\p{L}\p{M}\p{N}+]+$/gu, ''))
    .filter(hasWord)

/** Returns the keys of all words or word sequences in a text that can be a name. A long text names no bike. */
export function listNameKeys(text: string): string[] {
  const words = splitWords(text)
  if (words.length > maxSearchWords) return []
  return [...new Set(listSpans(words).map(({ key }) => key))]
}

interface Span {
  key: string
  from: number
  to: number
}

/** Words of a question or a request. */
const requestWords =
  'what which where how do does is are will need want i me you have looking please something anything'

/** Words of a search for a bike that a product need not have. */
const connectingWords = new Set(`a an the my for of on to that fit fits ${requestWords}`.split(' '))

/** Words of a search that say nothing about a part. */
export const quietWords: ReadonlySet<string> = new Set(
  `a an and the my our for of on to in with from that fit fits fitting by or best cheap buy new price sale shop online size
  motorcycle motorcycles motorbike motorbikes bike bikes moto part parts für fuer und mit oem genuine original
  these this ${requestWords}`.split(/\s+/),
)

/** Returns the words beside the name of a bike as a search for parts. Empty if they say nothing about a part. */
export const toPartSearch = (words: string[]): string =>
  words.every((word) => quietWords.has(word.toLowerCase())) ? '' : words.join(' ')

/** The sequences of up to four words, the longest first. */
function listSpans(words: string[]): Span[] {
  const spans: Span[] = []
  for (let length = Math.min(maxNameWords, words.length); length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const to = from + length
      spans.push({ key: toAliasKey(words.slice(from, to).join(' ')), from, to })
    }
  }
  return spans
}

/**
 * Reads a search text such as `2009 r6 brake pads`. A name without both letters and digits, such as `Monster`, may be
 * another word: it counts only with a make or a year, or if the text is read loosely. A range of years, such as `2008-2016`, is none of them.
 *
 * @param makes those that the text may name, by their keys
 */
export function readBikeSearch(
  text: string,
  models: NamedModel[],
  makes: ReadonlyMap<string, string>,
  isLoose = false,
): { models: NamedModel[]; year: number | null; shortYear: string | null; rest: string[] } | null {
  const words = splitWords(text)
  const spans = listSpans(words)
  const model = spans.find(({ key }) => models.some((known) => known.key === key))
  if (!model) return null
  const isFree = ({ from, to }: Span) => to <= model.from || from >= model.to
  const make = spans.find((span) => makes.has(span.key) && isFree(span))
  const used = (index: number) => [model, make].some((span) => span && span.from <= index && index < span.to)
  const year = words.findIndex((word, index) => isYearOrRange(word) && !used(index))
  const isClear = isLoose || (/[a-z]/.test(model.key) && /\d/.test(model.key))
  if (!isClear && !make && year === -1) return null
  const named = models.filter(
    (known) => known.key === model.key && (!make || known.make === makes.get(make.key)),
  )
  if (named.length === 0) return null
  return {
    models: named,
    year: readYear(words[year] ?? ''),
    shortYear: [words[model.from - 1], words[model.to]].find((word) => /^\d\d$/.test(word ?? '')) ?? null,
    rest: words.filter(
      (word, index) => index !== year && !used(index) && !connectingWords.has(word.toLowerCase()),
    ),
  }
}

/** Reads a make, such as `yamaha brake pads`. Null if the text names none. */
export function readMakeSearch<Make extends NamedMake>(
  text: string,
  makes: Make[],
): { make: Make; rest: string[] } | null {
  const words = splitWords(text)
  for (const { key, from, to } of listSpans(words)) {
    const make = makes.find((known) => known.key === key)
    if (!make) continue
    const rest = words.filter(
      (word, index) => (index < from || index >= to) && !connectingWords.has(word.toLowerCase()),
    )
    return { make, rest }
  }
  return null
}

const isYearOrRange = (word: string) =>
  readYear(word) !== null || /^(?:19|20)\d\d[-–/](?:\d\d){1,2}$/.test(word)

/** Reads `2009` or `'09`. */
export function readYear(word: string): number | null {
  if (/^(?:19|20)\d\d$/.test(word)) return Number(word)
  const [, short] = /^['’](\d\d)$/.exec(word) ?? []
  return short === undefined ? null : Number(short) + (Number(short) > 30 ? 1900 : 2000)
}

/**
 * Splits a text such as `2009 r6` into a year and other words, in the form of `toAliasKey`. A text with more than eight
 * words names no bike.
 */
export function readBikeWords(text: string): { year: number | null; words: string[] } {
  const typed = splitWords(text)
  const year = typed.find(isYearOrRange)
  const words = [...new Set(typed.filter((word) => word !== year).map(toAliasKey))]
  return { year: readYear(year ?? ''), words: words.length > maxBikeWords ? [] : words }
}
