import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from '../web/router/router.tsx'

/** Renders elements at `/` with a search, as on the server. */
export function renderInRouter(element: ReactNode, settings: object = {}, search = ''): string {
  const location = { pathname: '/', search, hash: '', state: null }
  const first = { location, params: {}, modules: [], data: null, status: 200 }
  return renderToStaticMarkup(
    <Router first={first} settings={settings as never}>
      {element}
    </Router>,
  )
}
