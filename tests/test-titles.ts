import { readFileSync } from 'node:fs'
import { type ESTree, parseSync } from 'vite'

type Node = ESTree.Node

/** Returns the titles of each test in a file: first the titles of its groups, then its own. Omits skipped tests. */
export function listTitles(path: string): string[][] {
  const { program, errors } = parseSync(path, readFileSync(path, 'utf8'))
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`)
  const titles: string[][] = []
  collectTitles(program, [], titles)
  return titles
}

/** Placeholder for a part of a title that is only known when the test runs. */
const anything = '\u0000'

/** Counts the tests with a cited title, such as `group > test`. Longer literal matches win. */
export function countTests(cited: string, tests: string[][]): number {
  const lengths = tests.map((titles) =>
    Math.max(...titles.map((_, from) => countLiteralCharacters(cited, titles.slice(from)))),
  )
  const max = Math.max(...lengths)
  return max < 0 ? 0 : lengths.filter((length) => length === max).length
}

/** Returns the number of literal characters in a matching title, or -1 if it does not match. */
function countLiteralCharacters(cited: string, titles: string[]): number {
  const parts = titles.join(' > ').split(anything)
  const pattern = new RegExp(`^${parts.map(RegExp.escape).join('.+')}$`, 's')
  return pattern.test(cited) ? parts.join('').length : -1
}

function collectTitles(node: unknown, groups: string[], titles: string[][]): void {
  if (Array.isArray(node)) {
    for (const each of node) collectTitles(each, groups, titles)
    return
  }
  if (node === null || typeof node !== 'object') return
  const named =
    'type' in node && node.type === 'CallExpression' ? toName(node as ESTree.CallExpression) : null
  if (named?.skipped) return
  if (named && !named.isGroup) titles.push([...groups, named.title])
  const inner = named?.isGroup ? [...groups, named.title] : groups
  for (const child of Object.values(node)) collectTitles(child, inner, titles)
}

interface Named {
  title: string
  isGroup: boolean
  skipped: boolean
}

/** Returns the title of a `test`, `it` or `describe` call in any form, or null for other calls. */
function toName({ callee, arguments: [first] }: ESTree.CallExpression): Named | null {
  const words = splitWords(callee)
  if (!['test', 'it', 'describe'].includes(words[0] ?? '')) return null
  const title = toText(first, words.includes('each'))
  if (title === null) return null
  return {
    title,
    isGroup: words.includes('describe'),
    skipped: ['skip', 'todo', 'fixme', 'skipIf'].some((word) => words.includes(word)),
  }
}

/** Splits `test.each(table)` into `test` and `each`. */
function splitWords(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name]
  if (node.type === 'CallExpression') return splitWords(node.callee)
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return []
  return [...splitWords(node.object), node.property.name]
}

function toText(node: Node | undefined, each: boolean): string | null {
  const text =
    node?.type === 'Literal'
      ? node.value
      : node?.type === 'TemplateLiteral'
        ? node.quasis.map(({ value }) => value.cooked).join(anything)
        : null
  if (typeof text !== 'string') return null
  return each ? text.replaceAll(/%[sdifjoOc#]|\$[\w.]+/g, anything) : text
}
