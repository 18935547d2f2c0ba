const maxSlugLength = 80

/** A product's name as it stands in the address of its page: small letters and digits, and dashes between. */
export function toSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return Array.from(words).slice(0, maxSlugLength).join('').replaceAll(/^-|-$/g, '') || 'part'
}

/** The page of a product, for everyone. */
export const productPath = ({ _id, name }: { _id: string; name: string }): string =>
  `/product/${_id}/${encodeURIComponent(toSlug(name))}`
