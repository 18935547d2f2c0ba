import { alignColumns, splitCells, toMarkdown } from '../markdown-table.ts'
import type { Figure, Finding } from './check.ts'

export interface Result extends Finding {
  name: string
}

const head = ['check', 'what', 'measured', 'bound']
const begin = '<!-- figures: written by npm run harden -->'
const end = '<!-- end of figures -->'

/** Formats all figures as one aligned table for a terminal. */
export function toTable(results: Result[]): string {
  return alignColumns([head, ...results.flatMap(toRows)]).join('\n')
}

/**
 * Returns the Markdown page with the new figures in place of earlier ones of the same checks.
 *
 * @param names all checks in their order; rows of other checks are removed
 * @param measured describes the machine and the versions
 * @throws if the page does not have the markers around the table
 */
export function withTable(page: string, results: Result[], names: string[], measured: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error('the page has no markers around the table')
  const earlier = page.slice(from, to).split('\n').filter(isRow).map(splitCells)
  const body = names.flatMap((name) => {
    const result = results.find((one) => one.name === name)
    return result ? toRows(result) : earlier.filter(([check]) => check === name)
  })
  const table = toMarkdown(head, body).join('\n')
  return `${page.slice(0, from)}${begin}\n\n${measured}\n\n${table}\n\n${page.slice(to)}`
}

function toRows({ name, figures, violations }: Result): string[][] {
  const broken: Figure = { what: 'rules broken', measured: String(violations.length), bound: '0' }
  return [...figures, broken].map(({ what, measured, bound = '' }) => [name, what, measured, bound])
}

const isRow = (line: string) => line.startsWith('| ')
