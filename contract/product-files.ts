// Without schemas, because `routes.ts` is in every page.

/** Content types that browsers send for a CSV or XML file, on Windows too. */
export const productFileTypes = [
  'text/csv',
  'text/plain',
  'application/vnd.ms-excel',
  'text/xml',
  'application/xml',
  'application/octet-stream',
]
export const maxProductFileBytes = 100_000_000
/** A preview reads only the start of a file. */
export const maxPreviewBytes = 65_536
