import { useState } from 'react'

/**
 * The attributes of an `img` that gives way to a drawing of ours where its address is missing or leads nowhere.
 */
export function useImageFallback(src: string | undefined, drawing: string) {
  const [broken, setBroken] = useState<string>()
  return {
    src: !src || broken === src ? drawing : src,
    // A picture that failed before the page came to life fires no event any more.
    ref: (element: HTMLImageElement | null) => {
      if (element?.complete && element.naturalWidth === 0) setBroken(src)
    },
    onError: () => setBroken(src),
  }
}
