import { isObject, readFromTab, removeFromTab, storeInTab } from './tab-storage.ts'

/** The input of a form. This tab keeps it while the user logs in again, or looks at another page. */
export const formDraft = <Values extends object>(name: string, userId: string, blank: Values) => ({
  /** The stored values, and blank ones for those that are missing. Another version of the shop may have stored them. */
  read(): Values {
    const stored = readFromTab(name)
    if (!isObject(stored) || stored.userId !== userId || !isObject(stored.values)) return blank
    const { values } = stored
    const known = Object.entries(blank).map(([key, value]) => [
      key,
      typeof values[key] === typeof value ? values[key] : value,
    ])
    return Object.fromEntries(known) as Values
  },
  store: (values: Values): void => storeInTab(name, { userId, values }),
  remove: (): void => removeFromTab(name),
})
