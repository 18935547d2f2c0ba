import { useState } from 'react'

/** Returns `img` attributes that show `drawing` if `src` is missing or cannot be loaded. */
export function useImageFallback(src: string | undefined, drawing: string) {
  const [broken, setBroken] = useState<string>()
  return {
    src: !src || broken === src ? drawing : src,
    // An image that failed before hydration fires no event.
    ref: (element: HTMLImageElement | null) => {
      if (element?.complete && element.naturalWidth === 0) setBroken(src)
    },
    onError: () => setBroken(src),
  }
}
