import { brandColors } from './shop.ts'

/** The contrast of text that WCAG 2.2 requires at level AA. */
const minContrast = 4.5

type Channels = [number, number, number]

/**
 * Returns red, green and blue, 0 to 255.
 *
 * @param color as `#rrggbb`
 */
export const toChannels = (color: string): Channels => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

const toColor = (channels: Channels): string =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance of WCAG 2.2, 0 to 1. */
function luminance(color: string): number {
  const [red, green, blue] = toChannels(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast ratio of two colours in the form `#rrggbb`, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Mixes a colour with black (`towards` 0) or white (255). `share`: 0 to 1. */
export const mix = (color: string, towards: 0 | 255, share: number): string =>
  toColor(toChannels(color).map((value) => value + (towards - value) * share) as Channels)

/** The grounds of each brand colour, as text, or under white text. */
const grounds = {
  accent: { colors: [brandColors.paper, brandColors.surface, brandColors.shade], towards: 0 },
  accentOnDark: { colors: [brandColors.ink, brandColors['ink-raised']], towards: 255 },
} as const

export type BrandColor = keyof typeof grounds

/** Returns the lowest contrast of a brand colour on its grounds. */
export const lowestContrast = (name: BrandColor, color: string): number =>
  Math.min(...grounds[name].colors.map((ground) => contrast(color, ground)))

export const isReadable = (name: BrandColor, color: string): boolean =>
  lowestContrast(name, color) >= minContrast

/** Returns the nearest tone that is readable: a darker one, on dark grounds a lighter one. */
export function nearestReadable(name: BrandColor, color: string): string {
  const { towards } = grounds[name]
  for (let percent = 0; percent < 100; percent++) {
    const tone = mix(color, towards, percent / 100)
    if (isReadable(name, tone)) return tone
  }
  return towards === 0 ? '#000000' : '#ffffff'
}

/** Rounds down, so that a ratio that is too low is never shown as the required one. */
export const formatRatio = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)
