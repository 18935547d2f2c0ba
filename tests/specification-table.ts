import { splitCells } from './markdown-table.ts'

export const columns = ['No.', 'Statement', 'Ruling', 'Built in', 'Shown by']

/** One statement of the specification. */
export interface Row {
  /** Section and position in it, as `2.14`. */
  number: string
  statement: string
  /** Numbers of rulings. */
  rulings: string[]
  /** Files, from the root. */
  builtIn: string[]
  /** Tests, as `file: title`. */
  shownBy: string[]
}

/** Returns the rows of all tables: one table below each heading `## 1. …`. */
export function readRows(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => /^\|\s*\d/.test(line))
    .map((line) => {
      const [number = '', statement = '', rulings = '', builtIn = '', shownBy = ''] = splitCells(line)
      return {
        number,
        statement,
        rulings: toList(rulings, ','),
        builtIn: toList(builtIn),
        shownBy: toList(shownBy),
      }
    })
}

/** Returns the header rows of all tables. */
export const readHeads = (markdown: string): string[][] =>
  markdown
    .split('\n')
    .filter((line, index, lines) => /^\|[\s|:-]+\|$/.test(lines[index + 1] ?? '') && line.startsWith('|'))
    .map(splitCells)

/** Returns the texts in backticks, which must match exactly. */
export const listTexts = ({ statement }: Row): string[] =>
  [...statement.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')

const toList = (cell: string, separator = '<br>'): string[] =>
  cell
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '')
