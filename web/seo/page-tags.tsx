import { useEffect } from 'react'
import type { Page, PageMeta } from '../router/page.ts'
import { useSettings } from '../router/router.tsx'
import { errorPageTitle } from '../texts.ts'

/** Returns title, description and canonical path of a page or error page. */
export const readMeta = ({ modules, data, status }: Page): PageMeta =>
  modules.at(-1)?.meta?.(data as never) ?? { title: errorPageTitle(status) }

/**
 * Title and tags of a page. React moves them to the document head, and removes them with the component. It removes
 * the tags of `structured-data.ts` as well, because only the server writes them.
 */
export function PageTags({ page }: { page: Page }) {
  const { title, description, canonical } = readMeta(page)
  const { origin, shop } = useSettings()
  useEffect(() => removeStructuredData, [])
  return (
    <>
      <title>{`${title} · ${shop.name}`}</title>
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

function removeStructuredData(): void {
  const tags =
    'script[type="application/ld+json"],meta[name^="twitter"],meta[property]:not([property="og:title"],[property="og:description"])'
  for (const element of document.head.querySelectorAll(tags)) element.remove()
}
