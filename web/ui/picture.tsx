import type { ComponentProps } from 'react'
import noPicture from '../../drawings/no-picture.svg'
import { useImageFallback } from './image-fallback.ts'

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
