export interface IconProps {
  className?: string
}

/** A line drawing of 20 by 20 units. `path` is the data of an SVG path. */
export function Icon({ path, className = 'size-5' }: IconProps & { path: string }) {
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
      <path d={path} />
    </svg>
  )
}

export const createIcon = (path: string) => (props: IconProps) => <Icon {...props} path={path} />

export const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`

export const ArrowIcon = createIcon('M3 10h13M11 5l5 5-5 5')
export const MenuIcon = createIcon('M3 5h14M3 10h14M3 15h14')
export const CloseIcon = createIcon('M5 5l10 10M15 5L5 15')
export const CheckIcon = createIcon('M4 10.5l4 4 8-9')
export const WarningIcon = createIcon('M10 2.5l8 14.5H2zM10 8v4M10 14.4v.1')
export const CartIcon = createIcon(
  `M2 3h2.5l2 9.5h9L17.5 6H5.5${circle(8, 16.5, 1.2)}${circle(14, 16.5, 1.2)}`,
)
export const BikeIcon = createIcon(
  `${circle(4.5, 13.5, 3)}${circle(15.5, 13.5, 3)}M4.5 13.5L8 9h5l2.5 4.5M2.5 8H8M13.5 9L12 5.5h2.5`,
)
export const SearchIcon = createIcon(`${circle(8.5, 8.5, 5.5)}M13 13l4.5 4.5`)

/** A disc in this colour, such as `#1d5fa8`. The Content-Security-Policy forbids `style` attributes. */
export function Swatch({ colour }: { colour: string }) {
  return (
    <svg viewBox="0 0 20 20" className="size-5 shrink-0" aria-hidden="true">
      <circle cx="10" cy="10" r="9.5" fill={colour} className="stroke-edge" />
    </svg>
  )
}
