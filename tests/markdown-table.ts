/** Returns the cells of a Markdown table row. */
export const splitCells = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

/** Formats rows as the lines of a Markdown table. */
export function toMarkdown(titles: string[], rows: string[][]): string[] {
  const rule = titles.map((cell) => '-'.repeat(Math.max(3, cell.length)))
  return alignColumns([titles, rule, ...rows]).map((line) => `| ${line} |`)
}

/** Formats rows as lines with aligned columns. The first row has all columns. */
export function alignColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '))
}
