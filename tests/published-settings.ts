import { publishSettings } from '../server/modules/settings/rules.ts'

/** The settings of a shop in which nothing is saved. */
export const defaultSettings = publishSettings(
  { shop: {}, brand: {}, footer: {}, home: {}, emails: {} },
  { name: null, address: [], email: null },
)
