import display600 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2?url'
import display700 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-700-normal.woff2?url'
import type { ReactNode } from 'react'
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import favicon from '../drawings/favicon.svg'
import type { Route } from './+types/root'
import stylesheet from './app.css?url'
import { settingsContext } from './context.ts'
import { Broken } from './pages/broken.tsx'
import NotFound from './pages/not-found.tsx'
import { Unavailable } from './pages/unavailable.tsx'
import { Findable } from './shell/findable.tsx'
import { Footer } from './shell/footer.tsx'
import { Navbar } from './shell/navbar.tsx'
import { usePrefetchOnIntent } from './shell/prefetch.ts'
import { NotStarted, StartGuard } from './shell/start-guard.tsx'
import { TravelSpinner, useFocusOnArrival } from './shell/travel.tsx'
import { Toasts } from './ui/toasts.tsx'

export const loader = ({ context }: Route.LoaderArgs) => context.get(settingsContext)

/** The settings hold as long as the document does. */
export const shouldRevalidate = () => false

const font = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href }) as const
export const links = () => [
  font(display600),
  font(display700),
  { rel: 'icon', type: 'image/svg+xml', href: favicon },
]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#15171b" />
        {/* With a precedence React writes it before what `Links` and `Scripts` preload: no page is painted without it. */}
        <link rel="stylesheet" href={stylesheet} precedence="shop" />
        <StartGuard />
        <Meta />
        <Findable />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

function Shell({ children }: { children: ReactNode }) {
  const main = useFocusOnArrival()
  usePrefetchOnIntent()
  return (
    <div className="flex min-h-svh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:p-4">
        Skip to content
      </a>
      <Navbar />
      <NotStarted />
      <TravelSpinner />
      <main id="main" ref={main} tabIndex={-1} className="grow">
        {children}
      </main>
      <Footer />
      <Toasts />
    </div>
  )
}

export default function App() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500
  return <Shell>{status === 404 ? <NotFound /> : status === 503 ? <Unavailable /> : <Broken />}</Shell>
}
