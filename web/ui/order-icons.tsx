import { circle, createIcon } from './icons.tsx'

// Not with the icons of every page.

const wheel = (x: number) => `${circle(x, 15, 1.8)}M${x} 15v.1`

export const ClockIcon = createIcon(`${circle(10, 10, 7.5)}M10 6v4l2.5 2`)
export const TruckIcon = createIcon(`M1.5 5h10v9h-10zM11.5 8h4l3 3v3h-7${wheel(5)}${wheel(15)}`)
export const PersonIcon = createIcon(`${circle(10, 6.5, 3.5)}M3 17.5c.5-3.5 3-5.5 7-5.5s6.5 2 7 5.5`)
