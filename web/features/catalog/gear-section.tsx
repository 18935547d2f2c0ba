import { useEffect, useEffectEvent, useRef } from 'react'
import type { Product } from '../../../contract/catalog.ts'

export type Section = 'SizeChartSection' | 'SafetySection'

type Roots = typeof import('./gear-roots.tsx')
type Root = ReturnType<Roots['mountSection']>

/** Only the server renders with this code. A static import would be in the script of the page. */
const tables = import.meta.env.SSR ? await import('./gear-tables.tsx') : null

/**
 * A section about gear. The browser leaves the HTML of the server as it is, and loads the code at the first use: few
 * visitors need it, and pages of products have a limit of script (`tests/browser/budget.spec.ts`).
 */
export function GearSection({ section, product }: { section: Section; product: Product }) {
  const shell = useRef<HTMLDivElement>(null)
  const mount = useEffectEvent(({ mountSection }: Roots) =>
    shell.current?.isConnected ? mountSection(shell.current, section, product) : undefined,
  )
  // Once: a choice of size or colour reads the product again, and must not unmount the section.
  useEffect(() => (shell.current ? loadAtUse(shell.current, (roots) => mount(roots)) : undefined), [])
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
function loadAtUse(shell: HTMLElement, mount: (roots: Roots) => Root | undefined): () => void {
  const listening = new AbortController()
  let root: Promise<Root | undefined> | undefined
  const load = () => {
    root ??= import('./gear-roots.tsx').then(mount, () => {
      // The next use tries again.
      root = undefined
      return undefined
    })
  }
  for (const use of ['pointerenter', 'focusin']) {
    shell.addEventListener(use, load, { signal: listening.signal })
  }
  // After a navigation in the browser the shell is empty. The unit that was chosen before is stored.
  if (!shell.hasChildNodes() || hasStoredUnit()) load()
  return () => {
    listening.abort()
    void root?.then((mounted) => mounted?.unmount())
  }
}

function hasStoredUnit(): boolean {
  try {
    return 'unit' in localStorage
  } catch {
    return false
  }
}
