import { useState } from 'react'
import { Button } from '../../ui/button.tsx'

interface CopyLinkProps {
  /** Undefined: the URL of the page. */
  url?: string
  /** How to copy the link without a clipboard. */
  fallback: string
}

/** Copies a link. Only the browser renders it. */
export function CopyLink({ url, fallback }: CopyLinkProps) {
  // Without HTTPS, browsers have no clipboard for pages.
  const [canCopy, setCanCopy] = useState(window.isSecureContext)
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(url ?? window.location.href).then(
      () => setCopied(true),
      () => setCanCopy(false),
    )
  return (
    <div className="flex items-center gap-3">
      {canCopy && (
        <Button variant="quiet" size="small" onClick={copy}>
          Copy link
        </Button>
      )}
      <span role="status">{canCopy ? isCopied && 'Copied.' : fallback}</span>
    </div>
  )
}
