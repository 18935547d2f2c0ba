import { readPage } from './bikes.ts'
import type { LoaderRequest } from './loaders.ts'

export type { LoaderData } from './loaders.ts'

/** A page below /pages or a post below /blogs. */
export async function loadDocument({ url, params: { slug = '' }, queries }: LoaderRequest) {
  const kind = url.pathname.toLowerCase().startsWith('/blogs/') ? 'post' : 'page'
  const found = await queries.document(kind, slug)
  if (found === null) return { data: null, status: 404 }
  if (found === 'gone') return { data: 'gone' as const, status: 410 }
  return { data: found }
}

const postsPerPage = 12

/** The posts of the shop. Until one is visible, the page has the posts of the specification, if they are not removed. */
export async function loadBlogs({ url, queries }: LoaderRequest) {
  const page = readPage(url)
  const search = page > 1 ? `?page=${page}` : ''
  const [{ posts, total }, { details }] = await Promise.all([
    queries.posts({ page, pageSize: postsPerPage }),
    queries.settings(),
  ])
  const pages = Math.max(1, Math.ceil(total / postsPerPage))
  const hasSamples = total === 0 && details.hasSamplePosts
  return { data: { posts, hasSamples, page, pages }, search, status: page > pages ? 404 : 200 }
}
