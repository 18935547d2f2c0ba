import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether the page is hydrated. Forms that need scripts are disabled before. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
