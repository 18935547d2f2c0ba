import { useSyncExternalStore } from 'react'
import { onAccessTokenChange, readAccessToken } from './access-token.ts'
import { readText } from './local-storage.ts'

/** Called after a change of what is stored or of its owner. `isOwn`: this tab has stored it. */
type Listener = (isOwn: boolean) => void

type Text = string | null

interface BrowserStoreOptions<Value, Key extends string> {
  /** Keys in localStorage. */
  keys: readonly Key[]
  /** Parses the texts of the keys. Text that the shop did not store counts as nothing. */
  parse: (...texts: Text[]) => Value
  /** Lists the keys with data of a customer, which are removed after the sign-out. */
  listCopies: (value: Value) => Key[]
}

/** Data in localStorage that all tabs share: of a guest, and copies of what a customer has at the shop. */
export function browserStore<Value, Key extends string>(options: BrowserStoreOptions<Value, Key>) {
  const { keys, parse, listCopies } = options
  const listeners = new Set<Listener>()
  const nothing = keys.map((): Text => null)
  const empty = parse(...nothing)
  let isWatching = false
  let last = { texts: nothing, value: empty }

  const read = (): Value => {
    const texts = keys.map(readText)
    if (texts.some((text, index) => text !== last.texts[index])) last = { texts, value: parse(...texts) }
    return last.value
  }
  const notify = (isOwn: boolean) => {
    for (const listener of listeners) listener(isOwn)
  }
  const removeCopies = () => {
    if (readAccessToken() !== null) return
    try {
      for (const key of listCopies(read())) localStorage.removeItem(key)
    } catch {
      // Nothing is stored.
    }
  }
  const watch = () => {
    isWatching = true
    addEventListener('storage', ({ key }) => {
      if (key === null || keys.includes(key as Key)) notify(false)
    })
    onAccessTokenChange(() => {
      removeCopies()
      notify(false)
    })
    // The customer may have left the page while signing out.
    removeCopies()
  }
  /** Calls `listener` after each change, in any tab. Returns a function that removes it. */
  const subscribe = (listener: Listener) => {
    listeners.add(listener)
    if (!isWatching) watch()
    return () => {
      listeners.delete(listener)
    }
  }
  return {
    read,
    subscribe,
    /** Stores a text; null removes it. Throws if the browser cannot store it. */
    write(key: Key, text: Text): void {
      if (text === null) localStorage.removeItem(key)
      else localStorage.setItem(key, text)
      notify(true)
    },
    /** The value, in all tabs. It is empty on the server. */
    useValue: (): Value => useSyncExternalStore(subscribe, read, () => empty),
  }
}
