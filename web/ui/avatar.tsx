import blankAvatar from '../../drawings/avatar.svg'
import { useImageFallback } from './image-fallback.ts'

export interface AvatarProps {
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
