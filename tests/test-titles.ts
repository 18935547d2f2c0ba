import { readFileSync } from 'node:fs'
import { type ESTree, parseSync } from 'vite'

type Node = ESTree.Node

/** What each of the tests in a file is called: the titles around it, then its own. Tests that are skipped are none. */
export function listTitles(path: string): string[][] {
  const { program, errors } = parseSync(path, readFileSync(path, 'utf8'))
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`)
  const titles: string[][] = []
  walk(program, [], titles)
  return titles
}

/** Any text stands for this part of a title: it is filled in when the test runs. */
const anything = '\u0000'

/**
 * How many tests have a title, as a person cites it: `group > test` where the test's own is not enough. The title that
 * spells out the most of it goes before those that are filled in when the test runs.
 */
export function testsCalled(cited: string, tests: string[][]): number {
  const spelt = tests.map((titles) =>
    Math.max(...titles.map((_, from) => speltOut(cited, titles.slice(from)))),
  )
  const most = Math.max(...spelt)
  return most < 0 ? 0 : spelt.filter((length) => length === most).length
}

/** How many characters of what is cited a title spells out; -1 where it is another one. */
function speltOut(cited: string, titles: string[]): number {
  const parts = titles.join(' > ').split(anything)
  const pattern = new RegExp(`^${parts.map(RegExp.escape).join('.+')}$`, 's')
  return pattern.test(cited) ? parts.join('').length : -1
}

function walk(node: unknown, groups: string[], titles: string[][]): void {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, groups, titles)
    return
  }
  if (node === null || typeof node !== 'object') return
  const named =
    'type' in node && node.type === 'CallExpression' ? toName(node as ESTree.CallExpression) : null
  if (named?.skipped) return
  if (named && !named.isGroup) titles.push([...groups, named.title])
  const inner = named?.isGroup ? [...groups, named.title] : groups
  for (const child of Object.values(node)) walk(child, inner, titles)
}

interface Named {
  title: string
  isGroup: boolean
  skipped: boolean
}

/** The title of a call of `test`, `it` or `describe` in any of their forms; null for every other call. */
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

/** `test.each(table)` as `test`, `each`. */
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
