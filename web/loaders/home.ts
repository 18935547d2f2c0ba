import type { LoaderRequest } from './loader.ts'

export async function loadHome({ queries }: LoaderRequest) {
  const [{ products }, reviews] = await Promise.all([
    queries.products({ page: 1, pageSize: 4 }),
    queries.reviews({ pageSize: 3 }),
  ])
  return { data: { products, reviews } }
}
