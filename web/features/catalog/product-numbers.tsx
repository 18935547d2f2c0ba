import type { Product } from '../../../contract/catalog.ts'
import { detailColumns } from '../../../contract/product-columns.ts'
import { DescriptionList } from '../../ui/description-list.tsx'

/** Brand, part number and the like; nothing if the product has none of them. */
export function ProductNumbers({ product }: { product: Product }) {
  const facts = detailColumns.map(({ name, label }) => ({ name: label, value: product[name] }))
  return facts.some(({ value }) => value) && <DescriptionList items={facts} />
}
