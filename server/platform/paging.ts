import type { FastifyReply } from 'fastify'

const maxPageSize = 1000

/** The rows to read: a page, or the first 1,000. */
export function pageOf(query: { page?: number | undefined; pageSize?: number | undefined }) {
  const limit = query.pageSize ?? maxPageSize
  return { limit, offset: ((query.page ?? 1) - 1) * limit }
}

export interface Page<Row> {
  rows: Row[]
  /** How many there are on all pages together. */
  total: number
}

/** Tells the total and the neighbours of the page in `X-Total-Count` and `Link`. */
export function sendPage<Row>(reply: FastifyReply, { rows, total }: Page<Row>): Row[] {
  reply.headers(pageHeaders(reply.request.url, total))
  return rows
}

/** The total, and the neighbours of the page at this address. */
export function pageHeaders(url: string, total: number): Record<string, string> {
  const [path = '', search] = url.split('?')
  const parameters = new URLSearchParams(search)
  const page = Number(parameters.get('page') ?? 1)
  const { limit } = pageOf({ pageSize: Number(parameters.get('pageSize') ?? maxPageSize) })
  const link = (target: number, relation: string) => {
    parameters.set('page', String(target))
    return `<${path}?${parameters}>; rel="${relation}"`
  }
  const links: string[] = []
  if (page > 1) links.push(link(page - 1, 'prev'))
  if (page * limit < total) links.push(link(page + 1, 'next'))
  return { 'x-total-count': String(total), ...(links.length > 0 && { link: links.join(', ') }) }
}

/** A pattern for `ilike` that finds what contains this text, whatever signs are in it. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/** `-price` as column and direction. */
export function toSort<Field extends string>(
  sort: Field | `-${Field}`,
): { field: Field; direction: 'asc' | 'desc' } {
  return sort.startsWith('-')
    ? { field: sort.slice(1) as Field, direction: 'desc' }
    : { field: sort as Field, direction: 'asc' }
}
