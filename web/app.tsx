import { ErrorBoundary, ErrorPage } from './errors/error-page.tsx'
import { HydrationFailed } from './errors/hydration-failed.tsx'
import { Footer } from './layouts/footer.tsx'
import { Navbar } from './layouts/navbar.tsx'
import { NavigationSpinner, useFocusOnNavigation } from './layouts/navigation-spinner.tsx'
import type { Page } from './router/page.ts'
import { Router, type RouterProps, usePage } from './router/router.tsx'
import { PageTags, readMeta } from './seo/page-tags.tsx'
import { PageHead } from './ui/page-head.tsx'
import { FullSpinner } from './ui/spinner.tsx'

/** The root component. Server and browser render the same tree. */
export const App = (props: Omit<RouterProps, 'children'>) => (
  <Router {...props}>
    <Shell />
  </Router>
)

function Shell() {
  const page = usePage()
  const { pathname, search } = page.location
  const main = useFocusOnNavigation()
  return (
    <div className="flex min-h-svh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:p-4"
        onClick={(event) => {
          // The fragment of this page may be the key of an order, or a token.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to content
      </a>
      <Navbar />
      <HydrationFailed />
      <NavigationSpinner />
      <main id="main" ref={main} tabIndex={-1} className="grow">
        <ErrorBoundary page={page}>
          <PageTags key={pathname + search} page={page} />
          <Content page={page} />
        </ErrorBoundary>
      </main>
      <Footer />
    </div>
  )
}

/** The page within its layouts. Layouts that the next page shares stay mounted. */
function Content({ page: { modules, data, params, status } }: { page: Page }) {
  if (modules.length === 0) return <ErrorPage status={status} />
  const { Pending = PendingPage } = modules.at(-1) ?? {}
  const read = { data: data as never, params: params as never }
  const given = { ...read, pending: <Pending params={read.params} /> }
  return modules.reduceRight<React.ReactNode>(
    (inside, { default: Module }) => <Module {...given}>{inside}</Module>,
    null,
  )
}

function PendingPage() {
  const { title } = readMeta(usePage())
  return (
    <>
      <PageHead title={title} />
      <FullSpinner />
    </>
  )
}
