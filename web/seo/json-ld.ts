import type {
  AutoPartsStore,
  BlogPosting,
  BreadcrumbList,
  Certification,
  ItemList,
  Motorcycle,
  Offer,
  Organization,
  Product,
  ProductGroup,
  PropertyValue,
  QuantitativeValue,
  UnitPriceSpecification,
  WebSite,
  WithContext,
} from 'schema-dts'
import { toYears } from '../../contract/bike-urls.ts'
import type { Product as ShopProduct, Variant } from '../../contract/catalog.ts'
import { type Certificate, describeCertificate } from '../../contract/certificates.ts'
import { choiceNames, choiceSearch } from '../../contract/choice-urls.ts'
import type { PublicDocument } from '../../contract/documents.ts'
import type { Fitment } from '../../contract/fitments.ts'
import { nameItem } from '../../contract/item-names.ts'
import { describePartNumber, type PartNumber } from '../../contract/number-texts.ts'
import { isGlobalGtin } from '../../contract/part-numbers.ts'
import { shareImage, shopShareImage } from '../../contract/pictures.ts'
import { isAvailable, minimumOrderPrice, productPath } from '../../contract/product.ts'
import { type Hours, type ShopDetails, type ShopFace, weekdays } from '../../contract/settings.ts'

/** The schema.org types that the shop publishes. */
export type JsonLd = WithContext<
  AutoPartsStore | BlogPosting | BreadcrumbList | ItemList | Organization | Product | ProductGroup | WebSite
>

const context = 'https://schema.org'

export type DescribedShop = ShopDetails & Pick<ShopFace, 'name' | 'isUnnamed'>

/** A shop with an address is a local business, which can have hours. */
export function organization(
  origin: string,
  shop: DescribedShop,
): WithContext<AutoPartsStore | Organization> {
  const { contact, postalAddress } = shop
  const { legalName, email, phone, hours, place, isDefaultPlace } = contact
  const known = {
    '@context': context,
    '@id': `${origin}/#shop`,
    name: shop.name,
    url: `${origin}/`,
    logo: toLogo(origin, shop),
    ...(legalName && { legalName }),
    ...(email && { email }),
    ...(phone && { telephone: phone }),
    ...(shop.social.length > 0 && { sameAs: shop.social }),
  } as const
  if (!postalAddress) return { ...known, '@type': 'Organization' }
  const { street, postalCode, city, country } = postalAddress
  return {
    ...known,
    '@type': 'AutoPartsStore',
    address: {
      '@type': 'PostalAddress',
      ...(street && { streetAddress: street }),
      ...(postalCode && { postalCode }),
      ...(city && { addressLocality: city }),
      ...(country && { addressCountry: country }),
    },
    ...(place && !isDefaultPlace && { geo: { '@type': 'GeoCoordinates', ...place } }),
    ...(hours.length > 0 && {
      openingHoursSpecification: hours.map((row) => ({
        '@type': 'OpeningHoursSpecification',
        dayOfWeek: listDays(row),
        opens: row.opens,
        closes: row.closes,
      })),
    }),
  }
}

/** Returns the uploaded logo or icon, or else the drawn mark: with its initial only if the shop has the default name. */
function toLogo(origin: string, { logo, icon, isUnnamed }: DescribedShop): string {
  const uploaded = logo ?? icon
  if (uploaded) return shareImage(origin, uploaded).url
  return `${origin}/pictures/${isUnnamed ? 'favicon' : 'favicon-plain'}.svg`
}

/** Returns the days from one to another, perhaps over the end of the week. */
function listDays({ from, to }: Pick<Hours, 'from' | 'to'>) {
  const first = weekdays.indexOf(from)
  const count = ((weekdays.indexOf(to) - first + 7) % 7) + 1
  return [...weekdays, ...weekdays].slice(first, first + count)
}

export const webSite = (origin: string, name: string): WithContext<WebSite> => ({
  '@context': context,
  '@type': 'WebSite',
  name,
  url: `${origin}/`,
  publisher: { '@id': `${origin}/#shop` },
})

/** A post of the shop. Its author is the shop, because posts have no names of persons. */
export function blogPosting(
  origin: string,
  post: PublicDocument,
  shop: Pick<DescribedShop, 'name' | 'shareImage'>,
): WithContext<BlogPosting> {
  // The id alone would refer to the home page: search engines read each page by itself.
  const publisher = {
    '@type': 'Organization',
    '@id': `${origin}/#shop`,
    name: shop.name,
    url: `${origin}/`,
  } satisfies Organization
  return {
    '@context': context,
    '@type': 'BlogPosting',
    headline: post.title,
    ...(post.summary && { description: post.summary }),
    image: (post.image ? shareImage(origin, post.image) : shopShareImage(origin, shop.shareImage)).url,
    url: origin + post.path,
    datePublished: post.publishedAt,
    dateModified: post.changedAt,
    author: publisher,
    publisher,
  }
}

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

/** Both units mean one piece: schema.org uses the UN/CEFACT code `C62`, and Google Merchant Center `ct`. */
const pieces = (value: number) =>
  ({ '@type': 'QuantitativeValue', value, unitCode: 'C62', unitText: 'ct' }) satisfies QuantitativeValue

/** A product, or one of its variants. */
type Offered = Pick<ShopProduct, 'price' | 'quantity' | 'minimum'>

/** An offer of the minimum order, as in the product feed. */
function offer(origin: string, url: string, { price: unitPrice, quantity, minimum }: Offered): Offer {
  const price = {
    price: minimumOrderPrice(unitPrice, minimum).toFixed(2),
    priceCurrency: 'USD',
  }
  return {
    '@type': 'Offer',
    url,
    ...price,
    ...(minimum > 1 && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        ...price,
        referenceQuantity: { ...pieces(minimum), valueReference: pieces(1) },
      } satisfies UnitPriceSpecification,
    }),
    availability: isAvailable(quantity, minimum)
      ? 'https://schema.org/InStock'
      : 'https://schema.org/OutOfStock',
    itemCondition: 'https://schema.org/NewCondition',
    eligibleQuantity: { '@type': 'QuantitativeValue', minValue: minimum, unitText: 'piece' },
    seller: { '@id': `${origin}/#shop` },
  }
}

/** The URLs of several pictures, or the only one. */
function toImages(origin: string, { image, pictures = [] }: ShopProduct): string | string[] {
  const [first = '', ...others] = [image, ...pictures.slice(1).map((picture) => picture.image)].map(
    (each) => shareImage(origin, each).url,
  )
  return others.length > 0 ? [first, ...others] : first
}

/** The values that a product shares with all of its variants. */
const commonJsonLd = (origin: string, url: string, product: ShopProduct) => ({
  '@id': `${url}#product`,
  name: product.name,
  description: product.description,
  image: toImages(origin, product),
  url,
  ...(product.brand && { brand: { '@type': 'Brand', name: product.brand } as const }),
  ...(product.kind && { category: product.kind }),
  ...(product.certificates && { hasCertification: product.certificates.map(certification) }),
  ...toProperties(product),
})

/** The attributes, and the numbers of other makers. */
function toProperties({ attributes = [], partNumbers = [] }: ShopProduct): {
  additionalProperty?: PropertyValue[]
} {
  const properties = [
    ...attributes.map(
      ({ name, value, unit }) =>
        ({ '@type': 'PropertyValue', name, value, ...(unit && { unitText: unit }) }) satisfies PropertyValue,
    ),
    ...partNumbers.slice(0, maxNumbers).map(toProperty),
  ]
  return properties.length > 0 ? { additionalProperty: properties } : {}
}

const maxNumbers = 20
const numberNames = {
  oem: 'Original part number',
  interchange: 'Equivalent part number',
  supersedes: 'Replaced part number',
}

/** schema.org has no property for the numbers of other makers: `mpn` is the product's own. */
const toProperty = (number: PartNumber): PropertyValue => ({
  '@type': 'PropertyValue',
  name: numberNames[number.kind],
  value: describePartNumber(number),
})

const certification = (certificate: Certificate) =>
  ({
    '@type': 'Certification',
    name: describeCertificate(certificate),
    ...(certificate.number && { certificationIdentification: certificate.number }),
    ...(certificate.documentUrl && { url: certificate.documentUrl }),
  }) satisfies Certification

const numbers = ({ sku, gtin }: Pick<Variant, 'sku' | 'gtin'>) => ({
  ...(sku && { sku, mpn: sku }),
  ...(gtin && isGlobalGtin(gtin) && { gtin }),
})

/** A product without variants of its own. It has no ratings, because customers review the shop and not single products. */
export function productJsonLd(
  origin: string,
  product: ShopProduct,
  fitments: Fitment[] = [],
): WithContext<Product> {
  const url = origin + productPath(product)
  return {
    '@context': context,
    '@type': 'Product',
    ...commonJsonLd(origin, url, product),
    productID: product._id,
    ...numbers(product),
    ...fitsMotorcycles(fitments),
    offers: offer(origin, url, product),
  }
}

const maxMotorcycles = 20

/** The models of the fitments with years and version, each once. schema.org has a date for one year, but not for several. */
function fitsMotorcycles(fitments: Fitment[]): { isAccessoryOrSparePartFor?: Motorcycle[] } {
  const motorcycles = new Map<string, Motorcycle>()
  for (const { name: model, version, ...years } of fitments) {
    const name = [model, toYears(years), version].filter(Boolean).join(' ')
    const isOneYear = years.yearFrom === years.yearTo
    motorcycles.set(name, {
      '@type': 'Motorcycle',
      name,
      ...(isOneYear && { vehicleModelDate: `${years.yearFrom}` }),
    })
  }
  return motorcycles.size > 0
    ? { isAccessoryOrSparePartFor: [...motorcycles.values()].slice(0, maxMotorcycles) }
    : {}
}

/** A product with its sizes and colours, each with its own offer. */
export function productGroupJsonLd(
  origin: string,
  product: ShopProduct,
  fitments: Fitment[] = [],
): WithContext<ProductGroup> {
  const url = origin + productPath(product)
  const { minimum, variants = [] } = product
  const varied = choiceNames.filter((name) => variants.some((variant) => variant[name] !== undefined))
  return {
    '@context': context,
    '@type': 'ProductGroup',
    ...commonJsonLd(origin, url, product),
    productGroupID: product._id,
    ...fitsMotorcycles(fitments),
    variesBy: varied.map((name) => `https://schema.org/${name === 'colour' ? 'color' : name}`),
    hasVariant: variants.map((variant) => {
      const { id, size, colour, price, quantity } = variant
      const urlOfVariant = url + choiceSearch(variant)
      return {
        '@type': 'Product',
        productID: id,
        name: nameItem({ name: product.name, size, colour }),
        image: shareImage(origin, variant.image ?? product.image).url,
        url: urlOfVariant,
        ...numbers(variant),
        // With several offers on a page, Google matches the items of the feed by their id.
        sku: id,
        ...(size && { size }),
        ...(colour && { color: colour }),
        offers: offer(origin, urlOfVariant, { price, quantity, minimum }),
      }
    }),
  }
}
