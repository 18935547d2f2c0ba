const guarded = /^'+[=+\-@\t\r＝＋－＠]/

/**
 * What a spreadsheet program would run as a formula, and what looks as if it were guarded already, as Postgres reads a
 * pattern: the export puts a quotation mark before it.
 */
export const riskyInPostgres = "^(''*[=+\\-@\\t\\r＝＋－＠])"

/** Takes the quotation mark off again that the export puts before what looks like a formula. */
export const unguard = (cell: string): string => (guarded.test(cell) ? cell.slice(1) : cell)
