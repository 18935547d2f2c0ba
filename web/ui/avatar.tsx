import blankAvatar from '../../drawings/avatar.svg'
import { useImageFallback } from './image-fallback.ts'

export interface AvatarProps {
  /** Address of a photo; without one, or where it leads nowhere, a helmet stands in. */
  photo: string | undefined
  /** Width and height in pixels. */
  size: number
  lazy?: boolean
  className?: string
}

/** What someone looks like; the name stands beside it. */
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
