import { isAvailable } from '../../contract/availability.ts'
import type { Product } from '../../contract/catalog.ts'
import { minimumOrderPrice } from '../../contract/minimum-order.ts'
import { shareImage, shopShareImage } from '../../contract/pictures.ts'
import { productPath } from '../../contract/product-path.ts'
import { shopName } from '../../contract/shop.ts'
import { breadcrumbs, itemList, organization, productJsonLd, webSite } from './json-ld.ts'
import type { PageStructuredData } from './open-graph.ts'

/** Creates the structured data of a page from the data of its loader. */
type Describe<Data> = (data: Data, origin: string) => PageStructuredData

const home = { name: 'Home', path: '/' }
const all = { name: 'Products', path: '/products' }

const describeHome: Describe<unknown> = (_data, origin) => ({
  jsonLd: [organization(origin, shopName), webSite(origin, shopName)],
  type: 'website',
  image: shopShareImage(origin),
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
    type: 'website',
    image: shopShareImage(origin),
  }
}

interface ProductData {
  product: Product
}

const describeProduct: Describe<ProductData> = ({ product }, origin) => {
  const { name, kind } = product
  const image = shareImage(origin, product.image)
  const ofKind = kind ? [{ name: kind, path: `/products?${new URLSearchParams({ kind })}` }] : []
  return {
    jsonLd: [
      productJsonLd(origin, product, image.url),
      breadcrumbs(origin, [home, all, ...ofKind, { name, path: productPath(product) }]),
    ],
    type: 'product',
    image,
    more: {
      'og:image:alt': name,
      'product:price:amount': minimumOrderPrice(product.price, product.minimum).toFixed(2),
      'product:price:currency': 'USD',
      'product:availability': isAvailable(product.quantity, product.minimum) ? 'in stock' : 'out of stock',
    },
  }
}

/** By page name. Other pages get the default. */
export const pageStructuredData: Record<string, Describe<never>> = {
  home: describeHome,
  products: describeList,
  product: describeProduct,
}
