import type { Kysely } from 'kysely'
import { guessColumn } from '../../../../contract/column-guesses.ts'
import type { ImportKind, ImportMode } from '../../../../contract/imports.ts'
import { maxPreviewBytes } from '../../../../contract/product-files.ts'
import type {
  ColumnMapping,
  FileEncoding,
  FilePreview,
  PreviewColumn,
} from '../../../../contract/supplier-files.ts'
import type { Database } from '../../../../db/schema.ts'
import { detectEncoding, hasUtf8Mark } from '../encoding.ts'
import type { FileKind } from '../file-kind.ts'
import {
  emptyFirstRow,
  type FileFormat,
  findOtherKind,
  matchColumns,
  refuseHeader,
  toExcerpt,
} from '../read-file.ts'
import { FileRefused, type FileRow, readRecords } from '../read-records.ts'
import { findFile } from './repository.ts'

const maxPreviewRows = 10
const maxPreviewColumns = 200

interface PreviewOptions {
  kind: ImportKind
  mode: ImportMode
  supplier: string | null
  /** Undefined: the stored one of the supplier. */
  encoding: FileEncoding | undefined
}

/** Reads the start of a file, and finds a column of the shop for each of its columns. Stores nothing. */
export async function previewFile(
  { db, kinds }: { db: Kysely<Database>; kinds: Record<ImportKind, FileKind> },
  { kind: kindName, mode, supplier, encoding }: PreviewOptions,
  bytes: Buffer,
): Promise<FilePreview> {
  const kind = kinds[kindName]
  const stored = supplier === null ? undefined : await findFile(db, supplier, kindName)
  const chosenEncoding = encoding ?? stored?.encoding ?? 'auto'
  const detected = detectEncoding(bytes)
  const empty = {
    encoding:
      detected === 'utf-16' || hasUtf8Mark(bytes) || chosenEncoding === 'auto' ? detected : chosenEncoding,
    chosenEncoding,
    separator: ',',
    decimals: 'point' as const,
    header: [],
    rows: [],
    columns: [],
    known: [],
  }
  // The whole file is checked after the upload.
  if ('read' in kind && !kind.refuseHeader) return { ...empty, problems: [] }
  // Wrong characters are shown, not refused, so that the admin can choose another encoding.
  const used = chosenEncoding === 'auto' && detected === 'windows-1252' ? detected : chosenEncoding
  const { records, problem } = await readFirstRows(bytes, used)
  const [header, ...rows] = records
  if (!header) return { ...empty, problems: [problem ?? 'The file is empty.'] }
  const otherKind = stored ? null : findOtherKind(header.cells, kindName)
  if (otherKind !== null) return { ...empty, problems: [otherKind] }
  if ('read' in kind) {
    const refused = kind.refuseHeader?.(header.cells) ?? null
    return { ...empty, problems: refused === null ? [] : [refused] }
  }
  const format = await kind.toFormat(db, { mode, supplier })
  const cells = rows.map((row) => row.cells.slice(0, maxPreviewColumns).map(toExcerpt))
  const known = Object.keys(format.columns)
  const columns = findColumns(header.cells, known, stored?.columns, kindName)
  const { separator } = header
  return {
    ...empty,
    separator,
    decimals: separator !== ',' && cells.flat().some(hasDecimalComma) ? 'comma' : 'point',
    header: header.cells.slice(0, maxPreviewColumns).map(toExcerpt),
    rows: cells,
    columns: columns.slice(0, maxPreviewColumns),
    known,
    problems: header.row > 1 ? [emptyFirstRow] : listProblems(columns, format),
  }
}

const hasDecimalComma = (cell: string) => /^\s*-?\d[\d.]*,\d{1,2}\s*$/.test(cell)

/** Reads the first rows. The last one may be incomplete, so its errors do not count. */
async function readFirstRows(
  bytes: Buffer,
  encoding: FileEncoding,
): Promise<{ records: FileRow[]; problem?: string }> {
  const end = bytes.length < maxPreviewBytes ? bytes.length : bytes.lastIndexOf('\n') + 1 || bytes.length
  const records: FileRow[] = []
  async function* chunks() {
    yield bytes.subarray(0, end)
  }
  try {
    for await (const record of readRecords(chunks(), encoding)) {
      records.push(record)
      if (records.length > maxPreviewRows) break
    }
    return { records }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    return { records, problem: error.message }
  }
}

function findColumns(
  header: string[],
  known: string[],
  stored: ColumnMapping | undefined,
  kind: ImportKind,
): PreviewColumn[] {
  const found = matchColumns(header, known, stored)
  if (kind !== 'products') return found
  const isTaken = new Set(found.map(({ ours }) => ours))
  return found.map((column) => {
    const guess = column.from ? null : guessColumn(column.theirs)
    if (guess === null || isTaken.has(guess)) return column
    isTaken.add(guess)
    return { ...column, ours: guess, from: 'guess' }
  })
}

/** Lists why a file with these columns would be refused. Unknown columns are not imported if an admin confirms that. */
function listProblems(columns: PreviewColumn[], { columns: rules, refuseColumns }: FileFormat): string[] {
  const names = columns.map(({ ours }) => ours)
  const used = names.filter((name) => name !== null)
  return [refuseHeader(names, Object.keys(rules)), refuseColumns(used)].filter((problem) => problem !== null)
}
