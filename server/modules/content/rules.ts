import { type DocumentStatus, documentFolders, documentKinds } from '../../../contract/documents.ts'
import { normalizePath } from '../../../contract/shop-paths.ts'

/** The versions of a document besides the visible one. */
interface DocumentStates {
  archived_at: Date | null
  /** When an archived document is visible again. */
  restores_at: Date | null
  is_visible: boolean
  has_draft: boolean
  /** When a version in the future becomes visible. */
  scheduled_for: Date | null
}

export function toStatus(states: DocumentStates): DocumentStatus {
  if (states.archived_at) return states.restores_at ? 'scheduled' : 'archived'
  if (states.is_visible) return states.has_draft || states.scheduled_for ? 'changed' : 'published'
  return states.scheduled_for ? 'scheduled' : 'draft'
}

/** Returns the path of a target without query and fragment, in the form in which redirects are stored. */
export const toTargetPath = (target: string): string => normalizePath(target.replace(/[?#].*$/s, ''))

/** Returns a target as it is stored, in one of its spellings, so that it can be compared with paths. */
export function toStoredTarget(target: string): string {
  try {
    return decodeURI(target).normalize('NFC')
  } catch {
    return target
  }
}

/** Returns the kind and the slug of a path of documents. */
export function readDocumentPath(path: string) {
  for (const kind of documentKinds) {
    const folder = `${documentFolders[kind]}/`
    const slug = path.startsWith(folder) ? path.slice(folder.length) : ''
    if (slug && !slug.includes('/')) return { kind, slug }
  }
  return null
}

/** Returns the id in the path of a product page. */
export const readProductPath = (path: string): string | null => /^\/product\/([^/]+)/.exec(path)?.[1] ?? null

/** Whether a redirect leads to its own path, which may be the page of a deleted product. */
export const leadsBack = (
  path: string,
  { product_id, target }: { product_id?: string | null | undefined; target?: string | null | undefined },
): boolean => (product_id ? readProductPath(path) === product_id : toTargetPath(target ?? '') === path)

/** Returns a path for the header `Location`, which has no other characters than ASCII. The target starts with a slash. */
export function toLocation(target: string): string {
  // Joined, not resolved: `/\` or a tab between two slashes would be the start of another host.
  const { pathname, search, hash } = new URL(`http://shop.invalid${target}`)
  // `/.//host` becomes `//host`, which would be another host.
  return pathname.replace(/^\/+/, '/') + search + hash
}
