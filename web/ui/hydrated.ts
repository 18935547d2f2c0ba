import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page has come to life: a form that only scripts can send waits for it. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
