import type { Config } from '@react-router/dev/config'
import { precompress } from './scripts/precompress.ts'

export default {
  appDirectory: 'web',
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  // A clientLoader of one line is not worth a request, and one that is missing would hang the way to its page.
  splitRouteModules: false,
  buildEnd: () => precompress('build/client/assets'),
} satisfies Config
