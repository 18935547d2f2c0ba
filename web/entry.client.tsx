import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import type { DocumentData } from './document.ts'
import { startSession } from './features/identity/session.ts'
import { loadRouteModules, openPage, prefetchOnIntent } from './router/open-page.ts'

/** Hydrates the server-rendered document. */
async function start(): Promise<void> {
  const text = document.getElementById('page-data')?.textContent
  const shop = document.getElementById('shop')
  if (!text || !shop) throw new Error('The document has no page data.')
  startSession()
  const { modules, params, data, status, settings } = JSON.parse(text) as DocumentData
  const { pathname, search, hash } = window.location
  const first = {
    location: { pathname, search, hash, state: window.history.state as unknown },
    params,
    modules: await loadRouteModules(modules),
    data,
    status,
  }
  startTransition(() => {
    hydrateRoot(shop, <App first={first} settings={settings} open={openPage} />)
  })
  prefetchOnIntent()
}

void start()
