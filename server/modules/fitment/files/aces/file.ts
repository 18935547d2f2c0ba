import type { Kysely } from 'kysely'
import type { ImportError } from '../../../../../contract/imports.ts'
import type { Database } from '../../../../../db/schema.ts'
import { catalogChanged, type FileKind } from '../../../imports/file-kind.ts'
import { FileRefused } from '../../../imports/read-file.ts'
import { checkRows, importRows } from '../fitments/file.ts'
import { setNestedLoops } from '../fitments/queries.ts'
import * as queries from './queries.ts'
import { readAces } from './read-xml.ts'

/**
 * Fitment files in ACES XML. Their applications become rows that are checked and imported like a fitment file. Errors
 * name the application, its line and its element.
 */
export const acesFile: FileKind = {
  rowTable: 'aces_import_rows',
  async *read(bytes, tx) {
    yield* readAces(bytes, await queries.listBrandIds(tx))
  },
  insertRows: queries.insertRows,

  async check(tx, importId) {
    const own = await store(tx, importId)
    const { errors, total, effect, changes } = await checkRows(tx, importId)
    const rows = [...errors, ...changes].map(({ row }) => row)
    const places = await queries.listPlaces(tx, importId, rows)
    const findPlace = (row: number) => places.find((place) => place.row === row)
    const toError = ({ row, column, message }: ImportError): ImportError => {
      const place = findPlace(row)
      if (place?.line) return { row, line: place.line, column: elements[column] ?? 'App', message }
      return { row: 0, column: 'SubmissionType', message: `${place?.part_number}: ${message}` }
    }
    return {
      errors: [...own.errors, ...errors.map(toError)],
      total: own.total + total,
      effect,
      changes: changes.map((change) => (findPlace(change.row)?.line ? change : { ...change, row: 0 })),
    }
  },

  async run(tx, { id }, by, onProgress) {
    if ((await store(tx, id)).total > 0) throw new FileRefused(catalogChanged)
    return importRows(tx, id, by, onProgress, () => queries.areFitmentsCurrent(tx, id))
  },
}

/** The element for each column of a fitment file. */
const elements: Record<string, string> = { part_number: 'Part', make: 'BaseVehicle', model: 'BaseVehicle' }

/** Stores the fitments of the applications. Returns the errors of applications. */
async function store(tx: Kysely<Database>, importId: string) {
  await setNestedLoops(tx, false)
  await queries.matchRows(tx, importId)
  await queries.storeFitments(tx, importId)
  return queries.findErrors(tx, importId)
}
