/** The roles of staff. An owner is an admin who may also do what only owners may. */
export const staffRoles = ['owner', 'admin', 'editor', 'packer', 'support'] as const
export type StaffRole = (typeof staffRoles)[number]

/** The permissions, and the roles that have them. Routes, services, menu and pages read this table. */
const permissionRoles = {
  /** Products, stock, pictures, brands, size charts, bikes, fitments, part numbers, search words, and their files. */
  catalog: ['owner', 'admin', 'editor'],
  /** Pages, posts and redirects. */
  content: ['owner', 'admin', 'editor'],
  /** Read orders, returns and refunds; search, notes, orders by phone. */
  orders: ['owner', 'admin', 'packer', 'support'],
  /** Packing slips, and marking as shipped. */
  ship: ['owner', 'admin', 'packer'],
  /** Cancel unpaid orders. */
  cancel: ['owner', 'admin', 'support'],
  /** Return money: refunds, decisions about returns, cancelling paid orders. */
  refunds: ['owner', 'admin'],
  /** List users, read profiles, emails of reviewers, emails that failed. */
  customers: ['owner', 'admin', 'support'],
  /** Settings, set-up, rates, discount codes, audit. */
  shop: ['owner', 'admin'],
  /** Invitations, and roles of staff other than owners. */
  staff: ['owner', 'admin'],
  /** The owner role, and two-step login of others. */
  owners: ['owner'],
} as const satisfies Record<string, readonly StaffRole[]>

export type Permission = keyof typeof permissionRoles
export type Permissions = ReadonlySet<Permission>

export const permissions = Object.keys(permissionRoles) as Permission[]
export const noPermissions: Permissions = new Set()

const byRole = Object.fromEntries(
  staffRoles.map((role) => [
    role,
    new Set(permissions.filter((each) => (permissionRoles[each] as readonly StaffRole[]).includes(role))),
  ]),
) as unknown as Record<StaffRole, Permissions>

/** Returns what a role may do: nothing without a role. */
export const getPermissions = (role: StaffRole | null | undefined): Permissions =>
  role ? byRole[role] : noPermissions

/** Returns whether someone with these permissions may give a role, or change the role of a person who has it. */
export const mayGiveRole = (held: Permissions, role: StaffRole | null): boolean =>
  held.has(role === 'owner' ? 'owners' : 'staff')

/** Returns whether these permissions include the one of a call, or any of several. */
export const hasPermission = (
  held: Permissions,
  permission: Permission | readonly Permission[] | undefined,
): boolean => [permission ?? []].flat().some((each) => held.has(each))
