import { useEffect, useRef } from 'react'
import type { Product } from '../../../contract/catalog.ts'
import { readText } from '../../local-storage.ts'

export type Section = 'SizeChartSection' | 'SafetySection'

/** Only the server renders with this code. A static import would be in the script of the page. */
const tables = import.meta.env.SSR ? await import('./gear-tables.tsx') : null

/**
 * A section about gear. The browser leaves the HTML of the server as it is, and loads the code at the first use: few
 * visitors need it, and pages of products have a limit of script (`tests/browser/budget.spec.ts`).
 */
export function GearSection({ section, product }: { section: Section; product: Product }) {
  const shell = useRef<HTMLDivElement>(null)
  // A choice of size or colour reads the product again. That must not unmount the section.
  const first = useRef(product)
  useEffect(() => (shell.current ? loadAtUse(shell.current, section, first.current) : undefined), [section])
  if (tables) {
    const Component = tables[section]
    return (
      <div>
        <Component product={product} />
      </div>
    )
  }
  return <div ref={shell} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
}

/** Returns a function that stops waiting, and unmounts a section that was loaded. */
function loadAtUse(shell: HTMLElement, section: Section, product: Product): () => void {
  const listening = new AbortController()
  let root: Promise<{ unmount: () => void } | undefined> | undefined
  const load = () => {
    root ??= import('./gear-roots.tsx').then(
      ({ mountSection }) => (shell.isConnected ? mountSection(shell, section, product) : undefined),
      () => {
        // The next use tries again.
        root = undefined
        return undefined
      },
    )
  }
  for (const use of ['pointerenter', 'focusin']) {
    shell.addEventListener(use, load, { signal: listening.signal })
  }
  // After a navigation in the browser the shell is empty. The unit that was chosen before is stored.
  if (!shell.hasChildNodes() || readText('unit') !== null) load()
  return () => {
    listening.abort()
    void root?.then((mounted) => mounted?.unmount())
  }
}
