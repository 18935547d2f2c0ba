import type { Product } from '../../contract/catalog.ts'
import type { PublicDocument } from '../../contract/documents.ts'
import type { ProductFit } from '../../contract/fit.ts'
import { type ShareImage, shareImage, shopShareImage } from '../../contract/pictures.ts'
import { isAvailable, minimumOrderPrice, productPath } from '../../contract/product.ts'
import type { ShopDetails } from '../../contract/settings.ts'
import type { PageSettings } from '../page-context.ts'
import type { Page } from '../router/page.ts'
import {
  blogPosting,
  breadcrumbs,
  type DescribedShop,
  itemList,
  type JsonLd,
  organization,
  productGroupJsonLd,
  productJsonLd,
  webSite,
} from './json-ld.ts'
import { dataBlock, metaTag } from './markup.ts'
import { readMeta } from './page-tags.tsx'

/** JSON-LD and Open Graph data of a page. */
interface PageStructuredData {
  jsonLd: JsonLd[]
  /** Missing for the image of the shop. */
  image?: ShareImage
  /** More Open Graph properties, or others than the usual ones. */
  openGraph?: Record<string, string>
}

/**
 * Renders the Open Graph tags and JSON-LD of a page; empty if it has no canonical path.
 * Only the server calls it, so that browsers do not load this code.
 *
 * @param name of the page's file in `web/pages/`
 */
export function renderStructuredData(
  name: string | undefined,
  page: Page,
  settings: PageSettings,
  details: ShopDetails,
): string {
  const { origin, shop } = settings
  const { canonical } = readMeta(page)
  if (!canonical) return ''
  const describe = pageStructuredData[name ?? '']
  const describedShop = { ...details, name: shop.name, isUnnamed: shop.isUnnamed }
  const described = describe?.(page.data as never, origin, describedShop) ?? { jsonLd: [] }
  const { jsonLd, image = shopShareImage(origin, details.shareImage) } = described
  const { width, height } = image.size ?? {}
  const openGraph = {
    'og:site_name': shop.name,
    'og:type': 'website',
    'og:url': origin + canonical,
    'og:image': image.url,
    ...(width && { 'og:image:width': width, 'og:image:height': height }),
    ...described.openGraph,
  }
  return [
    ...Object.entries(openGraph).map(([property, content]) => metaTag('property', property, `${content}`)),
    metaTag('name', 'twitter:card', 'summary_large_image'),
    ...jsonLd.map(dataBlock),
  ].join('')
}

/** Creates the structured data of a page from the data of its loader. */
type Describe<Data> = (data: Data, origin: string, shop: DescribedShop) => PageStructuredData

const home = { name: 'Home', path: '/' }
const all = { name: 'Products', path: '/products' }

const describeHome: Describe<unknown> = (_data, origin, shop) => ({
  jsonLd: [organization(origin, shop), webSite(origin, shop.name)],
})

interface ListData {
  products: Product[]
  title: string
  /** Number of products on earlier pages. */
  before: number
  canonical: string
}

const describeList: Describe<ListData> = (list, origin) => {
  const isWhole = /^\/products(\?page=\d+)?$/.test(list.canonical)
  const landing = { name: list.title, path: list.canonical }
  return {
    jsonLd: [
      breadcrumbs(origin, isWhole ? [home, all] : [home, all, landing]),
      itemList(origin, list.products, list.before),
    ],
  }
}

const describeProduct: Describe<{ product: Product; fit: ProductFit }> = ({ product, fit }, origin) => {
  const { name, kind } = product
  const image = shareImage(origin, product.image)
  const ofKind = kind ? [{ name: kind, path: `/products?${new URLSearchParams({ kind })}` }] : []
  return {
    jsonLd: [
      product.options === 'variants'
        ? productGroupJsonLd(origin, product, fit.fitments)
        : productJsonLd(origin, product, fit.fitments),
      breadcrumbs(origin, [home, all, ...ofKind, { name, path: productPath(product) }]),
    ],
    image,
    openGraph: {
      'og:type': 'product',
      'og:image:alt': name,
      'product:price:amount': minimumOrderPrice(product.price, product.minimum).toFixed(2),
      'product:price:currency': 'USD',
      'product:availability': isAvailable(product.quantity, product.minimum) ? 'in stock' : 'out of stock',
    },
  }
}

interface TrailData {
  trail: { name: string; path: string }[]
  /** Only on the page of a year. */
  products?: Product[]
}

const describeBikes: Describe<TrailData> = ({ trail, products }, origin) => ({
  jsonLd: [breadcrumbs(origin, [home, ...trail]), ...(products ? [itemList(origin, products, 0)] : [])],
})

const describeDocument: Describe<PublicDocument> = (document, origin, shop) => {
  const { kind, title, path, image } = document
  const blogs = { name: 'Blogs', path: '/blogs' }
  const trail = breadcrumbs(origin, [home, ...(kind === 'post' ? [blogs] : []), { name: title, path }])
  return {
    jsonLd: kind === 'post' ? [blogPosting(origin, document, shop), trail] : [trail],
    ...(image && { image: shareImage(origin, image) }),
    openGraph: { 'og:type': 'article' },
  }
}

/** By page name. Other pages get the default. */
const pageStructuredData: Record<string, Describe<never>> = {
  home: describeHome,
  products: describeList,
  product: describeProduct,
  bikes: describeBikes,
  'bike-make': describeBikes,
  'bike-model': describeBikes,
  'bike-year': describeBikes,
  document: describeDocument,
}
