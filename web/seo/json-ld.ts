import type {
  BreadcrumbList,
  ItemList,
  Organization,
  Product,
  QuantitativeValue,
  UnitPriceSpecification,
  WebSite,
  WithContext,
} from 'schema-dts'
import { isAvailable } from '../../contract/availability.ts'
import type { Product as ShopProduct } from '../../contract/catalog.ts'
import { minimumOrderPrice } from '../../contract/minimum-order.ts'
import { productPath } from '../../contract/product-path.ts'

/** What the shop says of itself and its products in the words of schema.org. */
export type JsonLd = WithContext<BreadcrumbList | ItemList | Organization | Product | WebSite>

const context = 'https://schema.org'

export const organization = (origin: string, name: string): WithContext<Organization> => ({
  '@context': context,
  '@type': 'Organization',
  '@id': `${origin}/#shop`,
  name,
  url: `${origin}/`,
  logo: `${origin}/pictures/favicon.svg`,
})

export const webSite = (origin: string, name: string): WithContext<WebSite> => ({
  '@context': context,
  '@type': 'WebSite',
  name,
  url: `${origin}/`,
  publisher: { '@id': `${origin}/#shop` },
})

export interface Crumb {
  name: string
  path: string
}

/** The way to a page, from the home page on. */
export const breadcrumbs = (origin: string, crumbs: Crumb[]): WithContext<BreadcrumbList> => ({
  '@context': context,
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + path,
  })),
})

/** A page of products, each by the address of its own page. */
export const itemList = (origin: string, products: ShopProduct[], before: number): WithContext<ItemList> => ({
  '@context': context,
  '@type': 'ItemList',
  numberOfItems: products.length,
  itemListElement: products.map((product, index) => ({
    '@type': 'ListItem',
    position: before + index + 1,
    name: product.name,
    url: origin + productPath(product),
  })),
})

/** `C62` is a piece in the code of the United Nations, which schema.org goes by; `ct` is one in that of merchant centres. */
const pieces = (value: number) =>
  ({ '@type': 'QuantitativeValue', value, unitCode: 'C62', unitText: 'ct' }) satisfies QuantitativeValue

/**
 * A product and what the smallest order of it costs at this moment, as the feed says it too. It has no ratings: the shop's reviews are of the shop, and are not passed
 * off as reviews of a product.
 */
export function productJsonLd(origin: string, product: ShopProduct, picture: string): WithContext<Product> {
  const url = origin + productPath(product)
  const price = {
    price: minimumOrderPrice(product.price, product.minimum).toFixed(2),
    priceCurrency: 'USD',
  }
  return {
    '@context': context,
    '@type': 'Product',
    '@id': `${url}#product`,
    productID: product._id,
    name: product.name,
    description: product.description,
    image: picture,
    url,
    ...(product.sku && { sku: product.sku, mpn: product.sku }),
    ...(product.gtin && { gtin: product.gtin }),
    ...(product.brand && { brand: { '@type': 'Brand', name: product.brand } }),
    ...(product.kind && { category: product.kind }),
    offers: {
      '@type': 'Offer',
      url,
      ...price,
      ...(product.minimum > 1 && {
        priceSpecification: {
          '@type': 'UnitPriceSpecification',
          ...price,
          referenceQuantity: { ...pieces(product.minimum), valueReference: pieces(1) },
        } satisfies UnitPriceSpecification,
      }),
      availability: isAvailable(product.quantity, product.minimum)
        ? 'https://schema.org/InStock'
        : 'https://schema.org/OutOfStock',
      itemCondition: 'https://schema.org/NewCondition',
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: product.minimum, unitText: 'piece' },
      seller: { '@id': `${origin}/#shop` },
    },
  }
}
