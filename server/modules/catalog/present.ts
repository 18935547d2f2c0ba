import type { Product } from '../../../contract/catalog.ts'
import { toDollars } from '../../../contract/money.ts'
import type * as repository from './repository.ts'

/** A product in the specification's words, and our additions to them. */
export function presentProduct(product: repository.Product): Product {
  return {
    _id: product.id,
    name: product.name,
    image: product.image,
    description: product.description,
    category: product.category ?? undefined,
    minimum: product.minimum_quantity,
    quantity: product.stock,
    price: toDollars(product.price_cents),
    supplier: product.supplier ?? undefined,
    brand: product.brand ?? undefined,
    kind: product.kind ?? undefined,
    sku: product.sku ?? undefined,
    gtin: product.gtin ?? undefined,
  }
}
