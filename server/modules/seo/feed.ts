import { isAvailable } from '../../../contract/availability.ts'
import { minimumOrderPrice } from '../../../contract/minimum-order.ts'
import { shareImage } from '../../../contract/pictures.ts'
import { productPath } from '../../../contract/product-path.ts'
import { element } from '../../platform/xml.ts'
import type { ListedProduct } from './queries.ts'

export interface FeedShop {
  origin: string
  name: string
}

/** The catalog in the form that merchant centres read: RSS 2.0 with the attributes of Google's namespace. */
export async function* productFeed(
  shop: FeedShop,
  products: AsyncIterable<ListedProduct[]>,
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${element('title', shop.name)}
${element('link', `${shop.origin}/`)}
${element('description', `Every product of ${shop.name}, with its price and whether it is in stock.`)}
`
  for await (const some of products) yield some.map((product) => item(shop.origin, product)).join('')
  yield '</channel>\n</rss>\n'
}

function item(origin: string, product: ListedProduct): string {
  const { brand, gtin, sku, minimum_quantity: minimum } = product
  const attributes: Record<string, string | null> = {
    id: product.id,
    title: cut(product.name, 150),
    description: cut(product.description || product.name, 5000),
    link: origin + productPath({ _id: product.id, name: product.name }),
    image_link: shareImage(origin, product.image).url,
    availability: isAvailable(product.stock, minimum) ? 'in_stock' : 'out_of_stock',
    // Merchant centres want what the smallest order costs, and show beside it what that makes for one piece.
    price: `${dollars(minimumOrderPrice(product.price_cents, minimum))} USD`,
    unit_pricing_measure: minimum > 1 ? `${minimum} ct` : null,
    unit_pricing_base_measure: minimum > 1 ? '1 ct' : null,
    condition: 'new',
    brand: brand && cut(brand, 70),
    gtin,
    mpn: sku,
    identifier_exists: gtin || (brand && sku) ? null : 'no',
    product_type: product.kind && `Motorcycle parts and gear > ${product.kind}`,
  }
  const lines = Object.entries(attributes).map(([name, value]) => element(`g:${name}`, value))
  return `<item>${lines.join('')}</item>\n`
}

/** The beginning of a text, in whole characters. */
const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : Array.from(text).slice(0, maxLength).join('')

const dollars = (cents: number): string => (cents / 100).toFixed(2)
