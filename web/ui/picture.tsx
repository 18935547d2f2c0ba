import type { ComponentProps } from 'react'
import noPicture from '../../drawings/no-picture.svg'
import { useSubstitute } from './substitute.ts'

/** A 4:3 picture that gives way to a drawing where its address leads nowhere. */
export function Picture({ src, alt, className = '', ...image }: ComponentProps<'img'> & { alt: string }) {
  const shown = useSubstitute(src, noPicture)
  return (
    <img
      width="400"
      height="300"
      decoding="async"
      {...image}
      {...shown}
      alt={alt}
      className={`aspect-4/3 w-full object-contain ${className}`}
    />
  )
}
