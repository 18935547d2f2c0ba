import type { Page, PageMeta } from '../router/page.ts'
import { usePage, useSettings } from '../router/router.tsx'
import { brand, errorPageTitle } from '../texts.ts'

/** Returns title, description and canonical path of a page or error page. */
export const readMeta = ({ modules, data, status }: Page): PageMeta =>
  modules.at(-1)?.meta?.(data as never) ?? { title: errorPageTitle(status) }

/** Title and tags of the current page. React moves them to the document head, and replaces them with the page. */
export function PageTags() {
  const { title, description, canonical } = readMeta(usePage())
  const { origin } = useSettings()
  return (
    <>
      <title>{`${title} · ${brand}`}</title>
      <meta property="og:title" content={title} />
      {description && <meta name="description" content={description} />}
      {description && <meta property="og:description" content={description} />}
      {/* A page without a canonical path must not be indexed. */}
      {canonical ? (
        <link rel="canonical" href={origin + canonical} />
      ) : (
        <meta name="robots" content="noindex" />
      )}
    </>
  )
}

/** Removes the tags of `structured-data.ts`, which only the server writes, after a navigation to another page. */
export function removeStructuredData(): void {
  const tags =
    'script[type="application/ld+json"],meta[name^="twitter"],meta[property]:not([property="og:title"],[property="og:description"])'
  for (const element of document.head.querySelectorAll(tags)) element.remove()
}
