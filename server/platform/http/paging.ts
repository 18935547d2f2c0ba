import type { FastifyReply } from 'fastify'

const maxPageSize = 1000

/** Returns limit and offset of a page. The default is the first 1,000 rows. */
export function toLimitOffset(query: { page?: number | undefined; pageSize?: number | undefined }) {
  const limit = query.pageSize ?? maxPageSize
  return { limit, offset: ((query.page ?? 1) - 1) * limit }
}

export interface Page<Row> {
  rows: Row[]
  /** Number of rows on all pages. */
  total: number
}

/** Sets `X-Total-Count` and `Link`, and returns the rows. */
export function sendPage<Row>(reply: FastifyReply, { rows, total }: Page<Row>): Row[] {
  reply.headers(pageHeaders(reply.request.url, total))
  return rows
}

/**
 * Returns the total, and links to the previous and the next page.
 *
 * @param usualSize page size of a URL without `pageSize`
 */
export function pageHeaders(url: string, total: number, usualSize = maxPageSize): Record<string, string> {
  const [path = '', search] = url.split('?')
  const parameters = new URLSearchParams(search)
  const page = Number(parameters.get('page') ?? 1)
  const { limit } = toLimitOffset({ pageSize: Number(parameters.get('pageSize') ?? usualSize) })
  const link = (target: number, relation: string) => {
    parameters.set('page', String(target))
    return `<${path}?${parameters}>; rel="${relation}"`
  }
  const links: string[] = []
  if (page > 1) links.push(link(page - 1, 'prev'))
  if (page * limit < total) links.push(link(page + 1, 'next'))
  return { 'x-total-count': String(total), ...(links.length > 0 && { link: links.join(', ') }) }
}

/** Returns an `ilike` pattern for values that contain this text. Wildcards in the text are escaped. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Splits a sort parameter such as `-price` into field and direction. */
export function toSort<Field extends string>(
  sort: Field | `-${Field}`,
): { field: Field; direction: 'asc' | 'desc' } {
  return sort.startsWith('-')
    ? { field: sort.slice(1) as Field, direction: 'desc' }
    : { field: sort as Field, direction: 'asc' }
}
