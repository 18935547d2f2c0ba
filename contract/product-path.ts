/** The path of a product's page; the words behind the id are for people and search engines. */
export function productPath({ id, name }: { id: string; name: string }): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `/product/${id}/${encodeURIComponent(slug)}`
}
