import type { ImportKind } from '../contract/imports.ts'
import { anAdmin } from '../tests/factories.ts'
import { checkFile, runImport } from '../tests/product-import.ts'
import { median } from '../tests/quantiles.ts'
import { openEmptyCatalog } from './catalog-under-test.ts'
import { atMost, type Measure } from './measure.ts'

const products = 10_000
const sizes = ['S', 'M', 'L']
const rounds = 3

const describe = (index: number) => `Steel and rubber for number ${index}, tested on the road.`
const toImage = (index: number) => `https://cdn.shop.example/${index}.jpg`

function toShopifyFile(): string {
  const rows = Array.from({ length: products }, (_, index) =>
    sizes.map((size, place) => {
      const ofFirst = place === 0 ? `Jacket ${index},` : ','
      const shared = place === 0 ? `"<p>${describe(index)}</p>",Corvane,Jackets` : ',,'
      return `${ofFirst}jacket-${index},${shared},TRUE,active,J-${index}-${size},${place === 0 ? 'Size' : ''},${size},${200 + place},shopify,5,${place === 0 ? toImage(index) : ''}`
    }),
  )
  const header =
    'Title,URL handle,Description,Vendor,Type,Published on online store,Status,SKU,Option1 name,Option1 value,Price,Inventory tracker,Inventory quantity,Product image URL'
  return [header, ...rows.flat()].join('\n')
}

function toOwnFile(): string {
  const rows = Array.from({ length: products }, (_, index) =>
    sizes.map(
      (size, place) =>
        `J-${index}-${size},Jacket ${index},Corvane,Jackets,${200 + place},5,1,"${describe(index)}",${toImage(index)},g${index},${size}`,
    ),
  )
  return ['sku,name,brand,kind,price,quantity,minimum,description,image,group,size', ...rows.flat()].join(
    '\n',
  )
}

/** Check and import of 10,000 products with three sizes each, from Shopify and in our own format. */
export const movingIn: Measure = {
  name: 'moving-in',
  async run(print) {
    const times = { shopify: [] as Times[], own: [] as Times[] }
    for (let round = 1; round <= rounds; round += 1) {
      print(`round ${round} of ${rounds}`)
      times.own.push(await measure('products', toOwnFile()))
      times.shopify.push(await measure('shopify-products', toShopifyFile()))
    }
    const compare = (step: keyof Times) => ({
      unit: 's',
      ours: median(times.shopify.map((each) => each[step])) / 1000,
      limit: median(times.own.map((each) => each[step])) / 1000,
    })
    return [
      atMost(1.5, { what: 'check of 30,000 variants from Shopify', ...compare('checkMs') }),
      atMost(1.2, { what: 'import of 30,000 variants from Shopify', ...compare('importMs') }),
    ]
  },
}

interface Times {
  checkMs: number
  importMs: number
}

async function measure(kind: ImportKind, file: string): Promise<Times> {
  const shop = await openEmptyCatalog()
  const [process] = shop.processes
  const admin = await anAdmin(shop)
  const began = performance.now()
  const checked = await checkFile(process, admin, file, kind)
  const checkedAt = performance.now()
  const done = await runImport(process, admin, checked)
  const ended = performance.now()
  if (done.state !== 'done' || done.added !== products * sizes.length) {
    throw new Error(`${kind}: ${done.added} added, ${done.errorCount} errors, ${done.failure}`)
  }
  await process.kill()
  return { checkMs: checkedAt - began, importMs: ended - checkedAt }
}
