import type { RouteName } from '../contract/routes.ts'
import type { SettingGroup } from '../contract/settings.ts'
import { publishSettings } from '../server/modules/settings/rules.ts'

/** The settings of a shop in which nothing is saved. */
export const defaultSettings = publishSettings(
  { shop: {}, brand: {}, footer: {}, home: {}, emails: {} },
  { name: null, address: [], email: null },
)

/** The call that saves each group. */
export const settingsCalls = {
  shop: 'saveShopSettings',
  brand: 'saveBrandSettings',
  footer: 'saveFooterSettings',
  home: 'saveHomeSettings',
  emails: 'saveEmailSettings',
} as const satisfies Record<SettingGroup, RouteName>
