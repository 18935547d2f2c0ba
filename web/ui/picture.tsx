import type { ComponentProps } from 'react'
import noPicture from '../../drawings/no-picture.svg'
import { useImageFallback } from './image-fallback.ts'

export interface PictureProps extends Omit<ComponentProps<'img'>, 'srcSet'> {
  alt: string
  /** In which other formats and widths it is to be had, the best first. */
  sources?: { type: string; srcSet: string }[]
}

/** A 4:3 picture that gives way to a drawing where its address leads nowhere. `sizes` says how wide it is shown. */
export function Picture({ src, alt, sources = [], sizes, className = '', ...image }: PictureProps) {
  const shown = useImageFallback(src, noPicture)
  return (
    <picture className="contents">
      {shown.src === src &&
        sources.map((source) => (
          // Shown as nothing: in a row with gaps it would take a place of its own.
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
