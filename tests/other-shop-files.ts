import { readFileSync } from 'node:fs'

export const readSampleFile = (name: 'shopify-products' | 'woocommerce-products'): string =>
  readFileSync(new URL(`files/${name}.csv`, import.meta.url), 'utf8')

/** The earlier names of columns in files of Shopify. */
const earlier: Record<string, string> = {
  'URL handle': 'Handle',
  Description: 'Body (HTML)',
  'Published on online store': 'Published',
  SKU: 'Variant SKU',
  'Option1 name': 'Option1 Name',
  'Option1 value': 'Option1 Value',
  'Option2 name': 'Option2 Name',
  'Option2 value': 'Option2 Value',
  Price: 'Variant Price',
  'Inventory tracker': 'Variant Inventory Tracker',
  'Inventory quantity': 'Variant Inventory Qty',
  'Continue selling when out of stock': 'Variant Inventory Policy',
  'Product image URL': 'Image Src',
  'Image position': 'Image Position',
  'Gift card': 'Gift Card',
}

export const toEarlierHeader = (header: string[]): string[] => header.map((name) => earlier[name] ?? name)

/** Gives a file of Shopify the earlier names of its columns. */
export function withEarlierHeader(file: string): string {
  const [header = '', ...lines] = file.split('\n')
  return [toEarlierHeader(header.split(',')).join(','), ...lines].join('\n')
}
