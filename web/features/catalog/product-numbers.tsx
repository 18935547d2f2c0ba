import type { Product } from '../../../contract/catalog.ts'
import { detailColumns } from '../../../contract/product-columns.ts'
import { DescriptionList } from '../../ui/description-list.tsx'

/** Brand, part number and other details. Renders nothing if the product has none. */
export function ProductNumbers({ product }: { product: Product }) {
  const items = detailColumns.map(({ name, label }) => ({ name: label, value: product[name] }))
  return items.some(({ value }) => value) && <DescriptionList items={items} />
}
