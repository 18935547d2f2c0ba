import { useRouteLoaderData } from 'react-router'
import type { PublicSettings } from '../context.ts'

/** The shop's settings as the document brought them. */
export function useSettings(): PublicSettings {
  const settings = useRouteLoaderData<PublicSettings>('root')
  if (!settings) throw new Error('The settings come with the root route, which every page has.')
  return settings
}
