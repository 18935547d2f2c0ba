import type { LoaderRequest } from './loader.ts'

export async function loadReviews({ shop }: LoaderRequest) {
  return { data: { reviews: await shop.reviews() } }
}
