import type { LoaderRequest } from './loader.ts'

export async function loadReviews({ queries }: LoaderRequest) {
  return { data: { reviews: await queries.reviews() } }
}
