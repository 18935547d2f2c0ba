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
import type { Product as ShopProduct } from '../../contract/catalog.ts'
import { isAvailable, minimumOrderPrice, productPath } from '../../contract/product.ts'

/** The schema.org types that the shop publishes. */
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

interface Crumb {
  name: string
  path: string
}

/** Breadcrumbs from the home page to the current page. */
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

/** A list of links to product pages. `before` is the number of products on earlier pages. */
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

/** Both units mean one piece: `C62` is the UN/CEFACT code that schema.org uses, `ct` that of Google Merchant Center. */
const pieces = (value: number) =>
  ({ '@type': 'QuantitativeValue', value, unitCode: 'C62', unitText: 'ct' }) satisfies QuantitativeValue

/**
 * A product with the price of its minimum order, as in the product feed. It has no ratings, because customers review
 * the shop and not single products.
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
