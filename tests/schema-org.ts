import * as z from 'zod/mini'

/** Returns the parsed JSON-LD blocks of a page. */
export function readJsonLd(html: string): unknown[] {
  const blocks = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)
  return [...blocks].map(([, json = '']) => JSON.parse(json))
}

const text = z.string().check(z.minLength(1))
const url = z.string().check(z.regex(/^https?:\/\/[!-~]+$/))
const urls = z.union([url, z.array(url).check(z.minLength(2))])
const reference = z.strictObject({ '@id': url })
const withType = <const Type extends string>(type: Type) => ({ '@type': z.literal(type) })
const withContext = <const Type extends string>(type: Type) => ({
  '@context': z.literal('https://schema.org'),
  ...withType(type),
})
const publisher = z.strictObject({ ...withType('Organization'), '@id': url, name: text, url: url })
const positions = z.refine<{ position: number }[]>((items) =>
  items.every(({ position }, index) => position === (items[0]?.position ?? 0) + index),
)

const pieces = {
  ...withType('QuantitativeValue'),
  value: z.int().check(z.gte(1)),
  unitCode: z.string().check(z.regex(/^[A-Z0-9]{2,3}$/)),
  unitText: text,
}
const price = {
  price: z.string().check(z.regex(/^\d+\.\d{2}$/)),
  priceCurrency: z.string().check(z.regex(/^[A-Z]{3}$/)),
}

const Properties = z
  .array(
    z.strictObject({
      ...withType('PropertyValue'),
      name: text,
      value: z.union([text, z.number()]),
      unitText: z.optional(text),
    }),
  )
  .check(z.minLength(1), z.maxLength(32))

const Certification = z.strictObject({
  ...withType('Certification'),
  name: text,
  certificationIdentification: z.optional(text),
  url: z.optional(url),
})

const gtin = z.string().check(z.regex(/^(\d{8}|\d{12,14})$/))

const Offer = z.strictObject({
  ...withType('Offer'),
  url: url,
  ...price,
  priceSpecification: z.optional(
    z.strictObject({
      ...withType('UnitPriceSpecification'),
      ...price,
      referenceQuantity: z.strictObject({ ...pieces, valueReference: z.strictObject(pieces) }),
    }),
  ),
  availability: z.enum(['https://schema.org/InStock', 'https://schema.org/OutOfStock']),
  itemCondition: z.literal('https://schema.org/NewCondition'),
  eligibleQuantity: z.strictObject({
    ...withType('QuantitativeValue'),
    minValue: z.int().check(z.gte(1)),
    unitText: text,
  }),
  seller: reference,
})

const year = z.string().check(z.regex(/^(19|20)\d\d$/))
const Motorcycles = z
  .array(z.strictObject({ ...withType('Motorcycle'), name: text, vehicleModelDate: z.optional(year) }))
  .check(z.minLength(1), z.maxLength(20))

/**
 * Properties that search engines require or recommend, as far as the shop has them. See https://schema.org.
 * The objects are strict, so a wrong or unknown property is an error.
 */
const schemas = [
  z.strictObject({
    ...withContext('Organization'),
    '@id': url,
    name: text,
    url: url,
    logo: url,
    legalName: z.optional(text),
    email: z.optional(text),
    telephone: z.optional(text),
    sameAs: z.optional(z.array(url)),
  }),
  z.strictObject({
    ...withContext('AutoPartsStore'),
    '@id': url,
    name: text,
    url: url,
    logo: url,
    legalName: z.optional(text),
    email: z.optional(text),
    telephone: z.optional(text),
    sameAs: z.optional(z.array(url)),
    address: z.strictObject({
      ...withType('PostalAddress'),
      streetAddress: z.optional(text),
      postalCode: z.optional(text),
      addressLocality: z.optional(text),
      addressCountry: z.optional(text),
    }),
    geo: z.optional(
      z.strictObject({ ...withType('GeoCoordinates'), latitude: z.number(), longitude: z.number() }),
    ),
    openingHoursSpecification: z.optional(
      z.array(
        z.strictObject({
          ...withType('OpeningHoursSpecification'),
          dayOfWeek: z.array(text).check(z.minLength(1)),
          opens: text,
          closes: text,
        }),
      ),
    ),
  }),
  z.strictObject({ ...withContext('WebSite'), name: text, url: url, publisher: reference }),
  z.strictObject({
    ...withContext('BlogPosting'),
    headline: text,
    description: z.optional(text),
    image: url,
    url: url,
    datePublished: z.iso.datetime(),
    dateModified: z.iso.datetime(),
    author: publisher,
    publisher: publisher,
  }),
  z.strictObject({
    ...withContext('BreadcrumbList'),
    itemListElement: z
      .array(z.strictObject({ ...withType('ListItem'), position: z.int(), name: text, item: url }))
      .check(z.minLength(2), positions),
  }),
  z.strictObject({
    ...withContext('ItemList'),
    numberOfItems: z.int(),
    itemListElement: z
      .array(z.strictObject({ ...withType('ListItem'), position: z.int(), name: text, url: url }))
      .check(z.minLength(1), positions),
  }),
  z.strictObject({
    ...withContext('ProductGroup'),
    '@id': url,
    productGroupID: text,
    name: text,
    description: text,
    image: urls,
    url: url,
    brand: z.optional(z.strictObject({ ...withType('Brand'), name: text })),
    category: z.optional(text),
    hasCertification: z.optional(z.array(Certification)),
    additionalProperty: z.optional(Properties),
    isAccessoryOrSparePartFor: z.optional(Motorcycles),
    variesBy: z.array(z.enum(['https://schema.org/size', 'https://schema.org/color'])).check(z.minLength(1)),
    hasVariant: z
      .array(
        z.strictObject({
          ...withType('Product'),
          productID: text,
          name: text,
          image: url,
          url: url,
          // Merchant centres match it with the id in the feed.
          sku: text,
          mpn: z.optional(text),
          gtin: z.optional(gtin),
          size: z.optional(text),
          color: z.optional(text),
          offers: Offer,
        }),
      )
      .check(z.minLength(1)),
  }),
  z.strictObject({
    ...withContext('Product'),
    '@id': url,
    productID: text,
    name: text,
    description: text,
    image: urls,
    url: url,
    sku: z.optional(text),
    mpn: z.optional(text),
    gtin: z.optional(gtin),
    brand: z.optional(z.strictObject({ ...withType('Brand'), name: text })),
    category: z.optional(text),
    hasCertification: z.optional(z.array(Certification)),
    additionalProperty: z.optional(Properties),
    isAccessoryOrSparePartFor: z.optional(Motorcycles),
    offers: Offer,
  }),
] as const

/** Returns the schema errors of a JSON-LD block. */
export function findJsonLdErrors(block: unknown): string[] {
  const type = String((block as Record<string, unknown>)['@type'])
  const schema = schemas.find((each) => each.shape['@type'].def.values[0] === type)
  if (!schema) return [`unknown type ${type}`]
  const { error } = schema.safeParse(block)
  return (error?.issues ?? []).map(({ path, message }) => `${type}.${path.join('.')}: ${message}`)
}
