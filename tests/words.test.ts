import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words that standard terms have replaced. */
const words = [
  /\banew\b/,
  /\bfor ever\b/,
  /\bshall\b/,
  /\bmend(s|ed)?\b/,
  /\bunder way\b/,
  /\bto life\b/,
  /\b(who|what|which|whom|wher)ever\b/i,
  /\b(no|some|any|every)body\b/i,
  /\bso (many|long|much) [a-z]/i,
  /\b(tells?|told|hears?|heard)\b/i,
  /\b(stands?|stood) (in|at|for|there|here|beside|behind)\b/i,
  /\b(null|undefined|false|true|empty|none) where\b/i,
  /\banswers\b/i,
  /\be-mails?\b/i,
  /\b(turnstile|front door|books)\b/i,
  /(?<!there )\b(is|are|was) no (?!longer|more than)[a-z]/i,
  /(?<!capital |small |plain |a |of )\bletters?\b(?! (or|and|of the alphabet))/i,
  /\bcatalogue\b/i,
  /\b(is|are) kept\b(?! open)/i,
]

/** Phrases for which English has a plainer one: the noun again, or the noun first. */
const phrases = [
  /\b(that|those) of\b/i,
  /, of (which|whom)\b/,
  /\bso that at no time\b/i,
  /(^|[.:;] )Of (the|a|an|its|this|all|each)\b/,
  /\bof (the|an?|its|each|all|one|this) [\w-]+ of (the|an?|its|each|all|one|this)\b/i,
  /\b(files?|rows|pages?) of (fitments|bikes|part numbers|ACES)\b/i,
  /, also\b/,
  /\b(also|alone)(\.|$)/,
  /\bin the middle\b/i,
  /\b(markets?|visits?|link (is )?over)\b/i,
  /\b(primary|standby) is lost\b/i,
]

/** At the start of a comment; a question may start like this. */
const atStart = [/^(What|Whom?|Whose|How (many|much|long))\b[^?]*$/, /^(Says|Tells|Lets|Leads)\b/]

const fileNames = [
  /(^|[/-])(kept|letters?|door|travel|stand-in|turnstile|patience)([.-]|$)/,
  /(^|\/)found[./-]/,
  /-words\.tsx?$/,
  /-address\.tsx?$/,
]

/** Without the migrations that landed before the list of phrases, because they never change. */
const files = globSync(
  ['*.ts', '{contract,server,web,db,seed,sandboxes,scripts,bench,tests}/**/*.{ts,tsx,mjs,sql}'],
  { cwd: root },
).filter((file) => basename(file) !== 'words.test.ts' && !file.startsWith('db/migrations/20261124'))
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter(
  (file) => file !== 'docs/specification.md',
)

const isTest = /\.(test|spec)\.tsx?$/
const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/
const comments = /\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/[^\n]*/
const tokens = new RegExp(`(${comments.source})|(${strings.source})`, 'g')

/** Matches the code before the title of a test or a step. */
const beforeTitle = /(\b(test|describe|it|step)|\))\(\s*$/

/** Returns the comments of a file, and the titles of its tests. */
function readTexts(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.sql')) return text.match(/--[^\n]*/g) ?? []
  return [...text.matchAll(tokens)].flatMap(({ 1: comment, 2: string, index }) => {
    if (comment) return comment
    const isTitle = isTest.test(file) && beforeTitle.test(text.slice(Math.max(0, index - 40), index))
    return isTitle && string ? string.slice(1, -1) : []
  })
}

/** Returns the paragraphs, list items and table rows of a document, without code. */
const readParagraphs = (file: string): string[] =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/```[\s\S]*?```/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-|#]|\d+\. ))/)

/** Quoted text may come from a screen or from the specification. */
const withoutQuotes = (text: string) => text.replaceAll(/`[^`]*`|“[^”]*”|"[^"]*"|(?<!\w)'[^']*'(?!\w)/g, '')

function findWords(text: string): string[] {
  const plain = withoutQuotes(text.replaceAll(/^[/*\s-]+|\n\s*\*?/g, ' ')).trim()
  return [...words, ...phrases, ...atStart].flatMap((word) => word.exec(plain)?.[0].slice(0, 40) ?? [])
}

describe('plain language', () => {
  test('comments and test titles use standard terms', () => {
    expect(
      files.flatMap((file) =>
        readTexts(file).flatMap((text) => findWords(text).map((word) => `${file}: ${word}`)),
      ),
    ).toEqual([])
  })

  test('documents use standard terms', () => {
    expect(
      documents.flatMap((file) =>
        readParagraphs(file).flatMap((text) => findWords(`. ${text}`).map((word) => `${file}: ${word}`)),
      ),
    ).toEqual([])
  })

  test('a decision has at most 60 lines', () => {
    const countLines = (file: string) => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length
    const decisions = documents.filter((file) => /\/decisions\/\d/.test(file))
    expect(decisions.filter((file) => countLines(file) > 60)).toEqual([])
  })

  test('file names use standard terms', () => {
    expect(files.filter((file) => fileNames.some((word) => word.test(file)))).toEqual([])
  })

  test('finds a replaced word or phrase and ignores a quoted one', () => {
    expect(findWords('/** Reads it anew. */')).toEqual(['anew'])
    expect(findWords('/** What a page shows. */')).toHaveLength(1)
    expect(findWords('// The sum is that of the last commit.')).toEqual(['that of'])
    expect(findWords('// Reads the pages of bikes, also after a reload.')).toHaveLength(2)
    expect(findWords('/** Shows `Nobody knows`. */')).toEqual([])
  })
})

test('the commands for single tests in the documents name tests that exist', () => {
  const tests = files.filter((file) => isTest.test(file))
  const commands = ['README.md', 'CONTRIBUTING.md'].flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/npm run (unit|browser) -- (\w[\w./-]*)/g),
  ])
  expect(commands.length).toBeGreaterThan(1)
  const missing = commands.filter(([, command, name = '']) =>
    command === 'browser'
      ? !tests.includes(`tests/browser/${name}.spec.ts`)
      : !tests.some((file) => file.startsWith(`${name}/`) && file.endsWith('.test.ts')),
  )
  expect(missing.map(([command]) => command)).toEqual([])
})
