import { type ComponentProps, useState } from 'react'
import blankAvatar from '../../drawings/avatar.svg'
import noPicture from '../../drawings/no-picture.svg'

export interface PictureProps extends Omit<ComponentProps<'img'>, 'srcSet'> {
  alt: string
  /** Other formats and widths, the best first. */
  sources?: { type: string; srcSet: string }[]
}

/** A 4:3 picture with a fallback drawing. `sizes` is its displayed width. */
export function Picture({ src, alt, sources = [], sizes, className = '', ...image }: PictureProps) {
  const shown = useImageFallback(src, noPicture)
  return (
    <picture className="contents">
      {shown.src === src &&
        sources.map((source) => (
          // Hidden, because it would take up a gap in a flex or grid container.
          <source key={source.type} {...source} sizes={sizes ?? '100vw'} className="hidden" />
        ))}
      <img
        width="400"
        height="300"
        decoding="async"
        {...image}
        {...shown}
        alt={alt}
        className={`aspect-4/3 w-full object-contain ${className}`}
      />
    </picture>
  )
}

interface AvatarProps {
  /** URL of a photo. A drawing replaces it if it is missing or cannot be loaded. */
  photo: string | undefined
  /** Width and height in pixels. */
  size: number
  lazy?: boolean
  className?: string
}

/** A decorative photo without an `alt` text, because the name is shown next to it. */
export function Avatar({ photo, size, lazy = false, className = '' }: AvatarProps) {
  const shown = useImageFallback(photo, blankAvatar)
  return (
    <img
      {...shown}
      alt=""
      width={size}
      height={size}
      loading={lazy ? 'lazy' : 'eager'}
      fetchPriority="low"
      className={`object-cover ${className}`}
    />
  )
}

/** Returns `img` attributes that show `drawing` if `src` is missing or cannot be loaded. */
function useImageFallback(src: string | undefined, drawing: string) {
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
