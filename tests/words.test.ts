import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Words that CONTRIBUTING replaces by standard terms. */
const root = join(import.meta.dirname, '..')

const inComments = [
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
  /\b(is|are|was) no (?!longer|more than)[a-z]/i,
  /(?<!capital |small |plain |a |of )\bletters?\b(?! (or|and|of the alphabet))/i,
  /\bcatalogue\b/i,
  /\b(is|are) kept\b(?! open)/i,
]

/** At the start of a comment; a question may start like this. */
const atStart = [/^(What|Whom?|Whose|How (many|much|long))\b[^?]*$/, /^(Says|Tells|Lets|Leads)\b/]

const identifiers = [
  /^[kK]ept/,
  /^keep(?!Alive|PreviousData|Scroll)[A-Z]/,
  /^(tell|told|hear|heard)($|[A-Z])/,
  /Told|Heard/,
  /[tT]urnstile|[dD]oor|[sS]tandIn|[tT]ravel|[pP]atien|PATIENCE/,
  /^[bB]ooks?$|^room$/,
  /[lL]etter(s|(?!Spacing)[A-Z]|$)/,
  /^[wW]alk/,
  /^(judged|drawn|oneIn)$/,
  /[fF]acts?$/,
  /[rR]efusals?($|[A-Z])/,
  /^(most|longest|fewest|farthest|deepest)([A-Z]|$)/,
  /^(tries|Tries)$/,
  /nextTry|[uU]nderWay/,
  /(?<!customer)(?<!shipping)(?<!shipping_)(?<!remote)(?<!listen_)[aA]ddress(?!Info)/,
  /^(?!valueOf$).*[a-z]Of$/,
]

/** Postal addresses, and names of Node.js and nodemailer. */
const allowedIdentifiers: readonly [file: RegExp, name: RegExp][] = [
  [
    /\/(customers|orders)\/|checkout|purchase|order|specification-forms|schemas?\.ts|factories|callers|table-owners/,
    /^(address|addresses|Address)$/,
  ],
  // The address book: its own files, and the names of its calls, types and table elsewhere.
  [/(^|\/)([\w-]*-)?address(es)?[./-]/, /address/i],
  [
    /./,
    /^((list|add|update|delete|register|format|present|an|some|demo)Address(es|Lines)?|addressLines|(Saved|New)?Address(es)?(Id|Table|Fields)?|addressId|isAddress)$/,
  ],
  // Manufacturers.
  [/gear|brand|catalog-schema|seo-product/, /^(maker_|eu_)?address$/],
  [/./, /^ipAddressHeaders$/],
  [
    /\/mail\/|mail|fetch-public|free-port|postmaster|bare-server|webhook-inbox|proxy|s3-server|s3rver|s3\.test|orders\.ts|listener|seed|commands\.test|log\.test|compose\.test|connections\.test|config\.test|config\/config|id-token\.test/,
    /^address$/,
  ],
  [
    /./,
    /^(indexOf|lastIndexOf|instanceOf|toBeInstanceOf|getPrototypeOf|emailAddress|ipAddress|anyOf|oneOf|allOf|multipleOf)$/,
  ],
]

const fileNames = [
  /(^|[/-])(kept|letters?|door|travel|stand-in|turnstile|patience)([.-]|$)/,
  /(^|\/)found[./-]/,
  /-words\.tsx?$/,
  /-address\.tsx?$/,
]

const files = globSync('{contract,server,web,db,seed,sandboxes,scripts,bench,tests}/**/*.{ts,tsx,mjs,sql}', {
  cwd: root,
}).filter((file) => basename(file) !== 'words.test.ts')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter(
  (file) => file !== 'docs/specification.md',
)

const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/
const comments = /\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/[^\n]*/
const tokens = new RegExp(`(${comments.source})|(${strings.source})`, 'g')
const jsxText = /(?<!=)>[^<>{}=;()]*(?=<)/g

function readSource(file: string): { comments: string[]; names: string[] } {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.sql')) return { comments: text.match(/--[^\n]*/g) ?? [], names: [] }
  const found: string[] = []
  const code = text.replaceAll(tokens, (_, comment: string | undefined) => {
    if (comment) found.push(comment)
    return "''"
  })
  return { comments: found, names: code.replaceAll(jsxText, '>').match(/[A-Za-z_$][\w$]*/g) ?? [] }
}

/** Quoted text may be that of a screen, or of the specification. */
const withoutQuotes = (text: string) => text.replaceAll(/`[^`]*`|“[^”]*”|"[^"]*"|(?<!\w)'[^']*'(?!\w)/g, '')

function findWords(text: string): string[] {
  const plain = withoutQuotes(text.replaceAll(/^[/*\s-]+|\n\s*\*?/g, ' ')).trim()
  return [...inComments, ...atStart].flatMap((word) => word.exec(plain)?.[0].slice(0, 40) ?? [])
}

const isAllowed = (file: string, name: string) =>
  allowedIdentifiers.some(([where, what]) => where.test(file) && what.test(name))

describe('plain language', () => {
  test('comments use standard terms', () => {
    expect(
      files.flatMap((file) =>
        readSource(file).comments.flatMap((comment) => findWords(comment).map((word) => `${file}: ${word}`)),
      ),
    ).toEqual([])
  })

  test('documents use standard terms', () => {
    expect(
      documents.flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .replaceAll(/```[\s\S]*?```/g, '')
          .split('\n')
          .flatMap((line) => findWords(`. ${line}`).map((word) => `${file}: ${word}`)),
      ),
    ).toEqual([])
  })

  test('identifiers use standard terms', () => {
    const hits = files.flatMap((file) =>
      [...new Set(readSource(file).names)]
        .filter((name) => identifiers.some((word) => word.test(name)) && !isAllowed(file, name))
        .map((name) => `${file}: ${name}`),
    )
    expect(hits).toEqual([])
  })

  test('file names use standard terms', () => {
    expect(files.filter((file) => fileNames.some((word) => word.test(file)))).toEqual([])
  })

  test('finds a replaced word and ignores a quoted one', () => {
    expect(findWords('/** Reads it anew. */')).toEqual(['anew'])
    expect(findWords('/** What a page shows. */')).toHaveLength(1)
    expect(findWords('/** Shows `Nobody knows`. */')).toEqual([])
  })
})
