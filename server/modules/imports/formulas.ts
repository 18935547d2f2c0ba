const guarded = /^'+[=+\-@\t\r＝＋－＠]/

/**
 * Postgres pattern of cells that a spreadsheet program may run as a formula. Matches already quoted ones as well. The
 * export puts an apostrophe before them.
 */
export const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** Removes the apostrophe that the export puts before possible formulas. */
export const unguard = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell)
