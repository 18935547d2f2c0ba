import { type ComponentProps, useState } from 'react'
import noPicture from '../../drawings/no-picture.svg'

/** A 4:3 picture that gives way to a drawing where its address leads nowhere. */
export function Picture({ src, alt, className = '', ...image }: ComponentProps<'img'> & { alt: string }) {
  const [broken, setBroken] = useState<string>()
  return (
    <img
      width="400"
      height="300"
      decoding="async"
      {...image}
      alt={alt}
      src={!src || broken === src ? noPicture : src}
      // A picture that failed before the page came to life fires no event any more.
      ref={(element) => {
        if (element?.complete && element.naturalWidth === 0) setBroken(src)
      }}
      onError={() => setBroken(src)}
      className={`aspect-4/3 w-full object-contain ${className}`}
    />
  )
}
