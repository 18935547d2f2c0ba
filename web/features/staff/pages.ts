import type { Permission } from '../../../contract/permissions.ts'

/** The groups of the menu, in this order. */
export const menuGroups = ['Orders', 'Products', 'Shop'] as const

interface StaffPage {
  /** The first part of the path below `/dashboard`. */
  path: string
  permission: Permission
  /** The name of its entry in the menu. */
  name?: string
  /** Without it, the entry is above the groups. */
  group?: (typeof menuGroups)[number]
}

/** The pages of the dashboard for staff. Those with a name are in the menu, in this order. */
export const staffPages: readonly StaffPage[] = [
  { path: 'today', permission: 'orders', name: 'Today' },
  { path: 'manage-orders', permission: 'orders', name: 'Manage Orders', group: 'Orders' },
  { path: 'pack', permission: 'ship', name: 'Pack', group: 'Orders' },
  { path: 'returns', permission: 'orders', name: 'Returns', group: 'Orders' },
  { path: 'refunds', permission: 'orders', name: 'Refunds', group: 'Orders' },
  { path: 'manage-users', permission: 'customers', name: 'Manage Users', group: 'Orders' },
  { path: 'manage-products', permission: 'catalog', name: 'Manage Products', group: 'Products' },
  { path: 'add-product', permission: 'catalog', name: 'Add Product', group: 'Products' },
  { path: 'goods-in', permission: 'catalog', name: 'Goods In', group: 'Products' },
  { path: 'bikes', permission: 'catalog', name: 'Bikes', group: 'Products' },
  { path: 'brands', permission: 'catalog', name: 'Brands', group: 'Products' },
  { path: 'attributes', permission: 'catalog', name: 'Attributes', group: 'Products' },
  { path: 'search-words', permission: 'catalog', name: 'Search Words', group: 'Products' },
  { path: 'size-charts', permission: 'catalog', name: 'Size Charts', group: 'Products' },
  { path: 'shop', permission: 'shop', name: 'Shop', group: 'Shop' },
  { path: 'pages', permission: 'content', name: 'Pages', group: 'Shop' },
  { path: 'charges', permission: 'shop', name: 'Charges', group: 'Shop' },
  { path: 'codes', permission: 'shop', name: 'Discount Codes', group: 'Shop' },
  { path: 'staff', permission: 'staff', name: 'Staff', group: 'Shop' },
  { path: 'emails', permission: 'customers', name: 'Failed Emails', group: 'Shop' },
  { path: 'audit', permission: 'shop', name: 'Audit', group: 'Shop' },
  { path: 'search', permission: 'orders' },
  { path: 'customer', permission: 'customers' },
  { path: 'packing-slips', permission: 'ship' },
  // Of those who may read customers, all may place orders by phone.
  { path: 'new-order', permission: 'customers' },
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
