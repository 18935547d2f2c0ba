import type { Product } from '../../../contract/catalog.ts'
import { Facts } from '../../ui/facts.tsx'

/** Who made a product, and the numbers that it is known by; nothing of what nobody knows. */
export function ProductNumbers({ product }: { product: Product }) {
  const { brand, kind, sku, gtin, supplier } = product
  if (![brand, kind, sku, gtin, supplier].some(Boolean)) return null
  return (
    <Facts
      facts={[
        { name: 'Brand', value: brand },
        { name: 'Kind of part', value: kind },
        { name: 'Part number', value: sku },
        { name: 'GTIN', value: gtin },
        { name: 'Supplier', value: supplier },
      ]}
    />
  )
}
