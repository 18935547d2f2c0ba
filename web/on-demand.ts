import { useSyncExternalStore } from 'react'

interface OnDemand<Code> {
  /** Loads the code. Rejects if that fails; the next call tries it again, which helps only in some browsers. */
  load: () => Promise<Code>
  /** The code, or null until it is loaded. */
  useCode: () => Code | null
  /** Whether the code is loaded or was asked for. */
  useIsWanted: () => boolean
}

/** Code that only some visitors need: components render it once it is loaded. `load` imports it. */
export function onDemand<Code>(load: () => Promise<Code>): OnDemand<Code> {
  let code: Code | null = null
  let isWanted = false
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const useStore = <Value>(read: () => Value, onServer: Value) =>
    useSyncExternalStore(subscribe, read, () => onServer)
  return {
    async load() {
      if (code) return code
      isWanted = true
      notify()
      code = await load()
      notify()
      return code
    },
    useCode: () => useStore(() => code, null),
    useIsWanted: () => useStore(() => isWanted, false),
  }
}
