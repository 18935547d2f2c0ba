import { isAvailable } from '../../contract/availability.ts'
import type { Product } from '../../contract/catalog.ts'
import { productPath } from '../../contract/product-path.ts'
import { shopName } from '../../contract/shop.ts'
import { smallestOrderPrice } from '../../contract/smallest-order.ts'
import type { ShopReads } from '../context.ts'
import type { Description } from './head.ts'
import { breadcrumbs, itemList, organization, productStatement, webSite } from './json-ld.ts'

/** Describes a page by what its loader answered. */
type Describe<Data> = (data: Data, origin: string, shop: ShopReads) => Promise<Description>

const home = { name: 'Home', path: '/' }
const all = { name: 'Products', path: '/products' }

const describeHome: Describe<unknown> = async (_data, origin, shop) => ({
  statements: [organization(origin, shopName), webSite(origin, shopName)],
  type: 'website',
  picture: await shop.cardOf(null),
})

interface ListData {
  products: Product[]
  title: string
  /** How many come before these. */
  before: number
  canonical: string
}

const describeList: Describe<ListData> = async (list, origin, shop) => {
  const isWhole = /^\/products(\?page=\d+)?$/.test(list.canonical)
  const landing = { name: list.title, path: list.canonical }
  return {
    statements: [
      breadcrumbs(origin, isWhole ? [home, all] : [home, all, landing]),
      itemList(origin, list.products, list.before),
    ],
    type: 'website',
    picture: await shop.cardOf(null),
  }
}

interface ProductData {
  product: Product
}

const describeProduct: Describe<ProductData> = async ({ product }, origin, shop) => {
  const { name, kind } = product
  const ofKind = kind ? [{ name: kind, path: `/products?${new URLSearchParams({ kind })}` }] : []
  return {
    statements: [
      productStatement(origin, product, await shop.pictureOf(product)),
      breadcrumbs(origin, [home, all, ...ofKind, { name, path: productPath(product) }]),
    ],
    type: 'product',
    picture: await shop.cardOf(product),
    more: {
      'og:image:alt': name,
      'product:price:amount': smallestOrderPrice(product.price, product.minimum).toFixed(2),
      'product:price:currency': 'USD',
      'product:availability': isAvailable(product.quantity, product.minimum) ? 'in stock' : 'out of stock',
    },
  }
}

/** By the names of the pages: those that have more to say than their address. */
export const describers: Record<string, Describe<never>> = {
  home: describeHome,
  products: describeList,
  product: describeProduct,
}
