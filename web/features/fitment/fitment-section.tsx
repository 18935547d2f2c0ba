import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react'
import type { ProductFitments } from './product-fitments.tsx'

type Props = ComponentProps<typeof ProductFitments>

/** Only the server renders with this code. A static import would be in the script of the page. */
const server = import.meta.env.SSR ? await import('./product-fitments.tsx') : null

/** Part numbers and fitments of a product. The browser keeps the HTML of the server, and loads the code after a navigation. */
export function FitmentSection(props: Props) {
  const shell = useRef<HTMLDivElement>(null)
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(server && (() => server.ProductFitments))
  useEffect(() => {
    if (shell.current?.hasChildNodes()) return
    void import('./product-fitments.tsx').then(
      (loaded) => setLoaded(() => loaded.ProductFitments),
      // The page is complete without the list; the next view tries again.
      () => undefined,
    )
  }, [])
  return Loaded ? (
    <div>
      <Loaded {...props} />
    </div>
  ) : (
    <div ref={shell} dangerouslySetInnerHTML={{ __html: '' }} suppressHydrationWarning />
  )
}
