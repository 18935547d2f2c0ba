import type { ReactNode } from 'react'

export interface IconProps {
  className?: string
}

/** A line drawing of 20 by 20 units. */
export function Icon({ className = 'size-5', children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 20 20"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

const createIcon = (drawing: ReactNode) => (props: IconProps) => <Icon {...props}>{drawing}</Icon>

export const ArrowIcon = createIcon(<path d="M3 10h13M11 5l5 5-5 5" />)
export const MenuIcon = createIcon(<path d="M3 5h14M3 10h14M3 15h14" />)
export const CloseIcon = createIcon(<path d="M5 5l10 10M15 5L5 15" />)
export const CheckIcon = createIcon(<path d="M4 10.5l4 4 8-9" />)
export const ClockIcon = createIcon(
  <>
    <circle cx="10" cy="10" r="7.5" />
    <path d="M10 6v4l2.5 2" />
  </>,
)
export const TruckIcon = createIcon(
  <>
    <path d="M1.5 5h10v9h-10zM11.5 8h4l3 3v3h-7" />
    <circle cx="5" cy="15" r="1.8" fill="currentColor" />
    <circle cx="15" cy="15" r="1.8" fill="currentColor" />
  </>,
)
export const WarningIcon = createIcon(<path d="M10 2.5l8 14.5H2zM10 8v4M10 14.4v.1" />)
export const SearchIcon = createIcon(
  <>
    <circle cx="8.5" cy="8.5" r="5.5" />
    <path d="M13 13l4.5 4.5" />
  </>,
)
const StarIcon = ({ className = 'size-4' }: IconProps) => (
  <svg viewBox="0 0 20 20" className={className} fill="currentColor" aria-hidden="true">
    <path d="M10 1.8 12.4 7l5.7.7-4.2 3.9 1.1 5.6-5-2.8-5 2.8 1.1-5.6L1.9 7.7 7.6 7Z" />
  </svg>
)

/** Always five stars, because the label next to them is fixed. */
export function Stars() {
  return (
    <span className="flex gap-0.5 text-wait" aria-hidden="true">
      {[1, 2, 3, 4, 5].map((star) => (
        <StarIcon key={star} />
      ))}
    </span>
  )
}
