import type { Kysely } from 'kysely'
import { EditedRedirect } from '../../../../../contract/documents.ts'
import { errors } from '../../../../../contract/errors.ts'
import {
  type ImportChange,
  type ImportError,
  maxListedChanges,
  maxListedErrors,
  redirectFileColumns,
} from '../../../../../contract/imports.ts'
import { isShopPath } from '../../../../../contract/shop-paths.ts'
import type { Database } from '../../../../../db/schema.ts'
import type { Effect, FileKind } from '../../../imports/file-kind.ts'
import { type FileFormat, FileRefused, requireColumns } from '../../../imports/read-file.ts'
import { findRedirects, type RedirectRow } from '../../queries.ts'
import { findOwnPages, maxRedirects, toTarget } from '../../redirects.ts'
import { countRedirects, type Destination, lockPaths, saveRedirects } from '../../repository.ts'
import { leadsBack, toStoredTarget, toTargetPath } from '../../rules.ts'
import * as queries from './queries.ts'

const [from, to] = redirectFileColumns

const format: FileFormat = {
  columns: { [from]: EditedRedirect.shape.path, [to]: EditedRedirect.shape.target },
  numbers: [],
  refuseColumns: requireColumns(redirectFileColumns),
  finishRow(values) {
    const path = String(values[from])
    if (isShopPath(path)) return { errors: { [from]: errors.REDIRECT_REFUSED.message } }
    return { row: { path, target: values[to] } }
  },
}

/** A redirect of the file, where it leads, and the stored one with its path. */
interface Resolved extends queries.StagedRedirect {
  destination: Destination
  stored: RedirectRow | undefined
}

const rowsAtOnce = 1000

/** Files of redirects, in one transaction. */
export const redirectFile: FileKind = {
  rowTable: 'redirect_import_rows',
  toFormat: () => format,
  insertRows: queries.insertRows,

  async check(tx, importId) {
    const { resolved, errors: found } = await resolveRows(tx, importId)
    return {
      errors: found.slice(0, maxListedErrors),
      total: found.length,
      effect: countEffect(resolved),
      changes: listChanges(resolved),
    }
  },

  async run(tx, { id }, _by, onProgress) {
    await lockPaths(tx)
    const { resolved, errors: found } = await resolveRows(tx, id)
    if (found.length > 0) throw new FileRefused(changed)
    const wanted = resolved.filter((redirect) => !isStored(redirect))
    for (let start = 0; start < wanted.length; start += rowsAtOnce) {
      await onProgress(start / wanted.length)
      const part = wanted.slice(start, start + rowsAtOnce)
      await saveRedirects(
        tx,
        part.map(({ path, destination }) => ({ path, ...destination })),
      )
    }
    return countEffect(resolved)
  },
}

const changed =
  'The pages of the shop have changed since the check. Nothing was imported. Upload the file again.'

/** Finds where the rows lead now, past other rows and stored redirects. */
async function resolveRows(
  tx: Kysely<Database>,
  importId: string,
): Promise<{ resolved: Resolved[]; errors: ImportError[] }> {
  const rows = await queries.listRows(tx, importId, maxRedirects + 1)
  const paths = rows.flatMap(({ path, target }) => [path, toTargetPath(target)])
  const redirects = await findRedirects(tx, [...new Set(paths)])
  const stored = new Map(redirects.map((redirect) => [redirect.path, redirect]))
  const further = redirects.flatMap(({ target }) => (target === null ? [] : [toTargetPath(target)]))
  const pages = await findOwnPages(tx, [...new Set([...paths, ...further])])
  const inFile = new Map<string, queries.StagedRedirect>()
  const found: ImportError[] = []
  for (const row of rows) {
    const first = inFile.get(row.path)
    if (first) found.push({ row: row.row, column: from, message: `Row ${first.row} has the same address` })
    else inFile.set(row.path, row)
  }
  const resolved: Resolved[] = []
  const known = { inFile, stored, pages, ends: new Map<string, Destination | null>() }
  for (const row of inFile.values()) {
    const destination = follow(row, known)
    if (pages.has(row.path)) {
      found.push({ row: row.row, column: from, message: errors.REDIRECT_REFUSED.message })
    } else if (stored.get(row.path)?.source === 'renamed') {
      found.push({
        row: row.row,
        column: from,
        message: 'This is the earlier address of a page of this shop',
      })
    } else if (!destination || leadsBack(row.path, destination)) {
      found.push({ row: row.row, column: to, message: 'This address leads back to the old one' })
    } else resolved.push({ ...row, destination, stored: stored.get(row.path) })
  }
  const added = resolved.filter((redirect) => !redirect.stored).length
  if (added > 0 && (await countRedirects(tx)) + added > maxRedirects) {
    throw new FileRefused(errors.TOO_MANY_REDIRECTS.message)
  }
  return { resolved, errors: found.toSorted((one, other) => one.row - other.row) }
}

/** By path: the rows of the file, the stored redirects, the pages of the shop, and the ends of rows that were followed. */
interface Known {
  inFile: Map<string, queries.StagedRedirect>
  stored: Map<string, RedirectRow>
  pages: Map<string, Destination>
  ends: Map<string, Destination | null>
}

/** Returns where a redirect leads at the end, or null if it leads back. Rows on the way have the same end. */
function follow({ path, target }: queries.StagedRedirect, known: Known): Destination | null {
  const passed = new Set([path])
  const end = findEnd(target, passed, known)
  for (const each of passed) {
    // Not the last path, which has no row: with another query it can have another end.
    if (known.inFile.has(each)) known.ends.set(each, end)
  }
  return end
}

/** Adds the paths on the way to `passed`. */
function findEnd(
  first: string,
  passed: Set<string>,
  { inFile, stored, pages, ends }: Known,
): Destination | null {
  for (let target = first; ; ) {
    const next = toTargetPath(target)
    if (passed.has(next)) return null
    const end = ends.get(next)
    if (end !== undefined) return end
    const redirect = stored.get(next)
    passed.add(next)
    const further = inFile.get(next)?.target ?? redirect?.target
    if (further) target = further
    else if (redirect)
      return { product_id: redirect.product_id, document_id: redirect.document_id, target: null }
    else {
      // A query or a fragment may choose a size, or a part of a page.
      const own = /[?#]/.test(target) ? undefined : pages.get(next)
      return own ?? { product_id: null, document_id: null, target: toStoredTarget(target) }
    }
  }
}

const isStored = ({ destination, stored }: Resolved): boolean =>
  stored !== undefined &&
  stored.product_id === destination.product_id &&
  stored.document_id === destination.document_id &&
  stored.target === destination.target

function countEffect(resolved: Resolved[]): Effect {
  const added = resolved.filter(({ stored }) => !stored).length
  const unchanged = resolved.filter(isStored).length
  return { added, changed: resolved.length - added - unchanged, unchanged }
}

const listChanges = (resolved: Resolved[]): ImportChange[] =>
  resolved
    .filter((redirect) => !isStored(redirect))
    .slice(0, maxListedChanges)
    .map(({ row, path, target, stored }) => ({
      row,
      name: path,
      before: stored ? { [to]: toTarget(stored) } : null,
      after: { [to]: target },
    }))
