/** Returns a text of localStorage; null also if the browser does not allow the shop to store data. */
export function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
