import type { Permission } from '../../../contract/permissions.ts'

interface StaffPage {
  /** The first part of the path below `/dashboard`. */
  path: string
  permission: Permission
  /** The name of its entry in the menu. */
  name?: string
}

/** The pages of the dashboard for staff. Those with a name are in the menu, in this order. */
export const staffPages: readonly StaffPage[] = [
  { path: 'today', permission: 'orders', name: 'Today' },
  { path: 'manage-users', permission: 'customers', name: 'Manage Users' },
  { path: 'manage-orders', permission: 'orders', name: 'Manage Orders' },
  { path: 'pack', permission: 'ship', name: 'Pack' },
  { path: 'goods-in', permission: 'catalog', name: 'Goods In' },
  { path: 'manage-products', permission: 'catalog', name: 'Manage Products' },
  { path: 'add-product', permission: 'catalog', name: 'Add Product' },
  { path: 'bikes', permission: 'catalog', name: 'Bikes' },
  { path: 'brands', permission: 'catalog', name: 'Brands' },
  { path: 'attributes', permission: 'catalog', name: 'Attributes' },
  { path: 'search-words', permission: 'catalog', name: 'Search Words' },
  { path: 'size-charts', permission: 'catalog', name: 'Size Charts' },
  { path: 'pages', permission: 'content', name: 'Pages' },
  { path: 'charges', permission: 'shop', name: 'Charges' },
  { path: 'codes', permission: 'shop', name: 'Discount Codes' },
  { path: 'returns', permission: 'orders', name: 'Returns' },
  { path: 'refunds', permission: 'orders', name: 'Refunds' },
  { path: 'emails', permission: 'customers', name: 'Failed Emails' },
  { path: 'shop', permission: 'shop', name: 'Shop' },
  { path: 'staff', permission: 'staff', name: 'Staff' },
  { path: 'audit', permission: 'shop', name: 'Audit' },
  { path: 'search', permission: 'orders' },
  { path: 'customer', permission: 'customers' },
  { path: 'packing-slips', permission: 'ship' },
  { path: 'stocktake', permission: 'catalog' },
  { path: 'import-products', permission: 'catalog' },
  { path: 'imports', permission: 'catalog' },
  { path: 'edit-product', permission: 'catalog' },
  { path: 'update-product', permission: 'catalog' },
  { path: 'redirects', permission: 'content' },
  { path: 'edit-page', permission: 'content' },
]

/** Returns the permission that a path needs; undefined if it is not a dashboard page for staff. */
export function findPagePermission(pathname: string): Permission | undefined {
  const [, first = ''] = /^\/dashboard\/([^/?]+)/i.exec(pathname) ?? []
  return staffPages.find(({ path }) => path === first.toLowerCase())?.permission
}
