import type { LoaderRequest } from './loader.ts'

export async function loadHome({ shop }: LoaderRequest) {
  const [{ products }, reviews] = await Promise.all([
    shop.products({ page: 1, pageSize: 4 }),
    shop.reviews({ pageSize: 3 }),
  ])
  return { data: { products, reviews } }
}
