import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as OpenType from 'opentype.js'

export type Weight = 600 | 700

/** The shop's own face, and one as narrow for the letters that it lacks. */
const faces = {
  'barlow-condensed': ['latin', 'latin-ext', 'vietnamese'],
  'fira-sans-condensed': ['cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'],
}
const require = createRequire(import.meta.url)
// Its modules name their parts in a way that Node's import cannot read.
const { parse } = require('opentype.js') as typeof OpenType
const opened = new Map<Weight, OpenType.Font[]>()

function fontsOf(weight: Weight): OpenType.Font[] {
  const known = opened.get(weight)
  if (known) return known
  const fonts = Object.entries(faces).flatMap(([face, subsets]) =>
    subsets.map((subset) => {
      const file = require.resolve(`@fontsource/${face}/files/${face}-${subset}-${weight}-normal.woff`)
      return parse(new Uint8Array(readFileSync(file)).buffer)
    }),
  )
  opened.set(weight, fonts)
  return fonts
}

const fontOf = (letter: string, weight: Weight): OpenType.Font | undefined =>
  fontsOf(weight).find((font) => font.charToGlyphIndex(letter) > 0)

/** The words of a text that can be drawn with all their letters: half a word says something else. */
export function drawableWords(text: string, weight: Weight): string {
  const isDrawable = (word: string) => {
    const letters = word.match(/[\p{L}\p{N}]/gu)
    const asked = letters ?? Array.from(word)
    return asked[letters ? 'every' : 'some']((letter) => fontOf(letter, weight) !== undefined)
  }
  return text.normalize('NFC').split(/\s+/).filter(isDrawable).join(' ')
}

interface Placed {
  font: OpenType.Font
  glyph: OpenType.Glyph
  /** How far it stands from the beginning. */
  x: number
}

/**
 * A text's glyphs side by side, and how far they reach. What no font has is left out: better than a box in its place.
 * Not the library's own `getPath`: it gives up on fonts that put letters together in ways that it does not know.
 */
function place(text: string, weight: Weight, size: number): { placed: Placed[]; width: number } {
  const placed: Placed[] = []
  let x = 0
  for (const letter of text.normalize('NFC')) {
    const font = fontOf(letter, weight)
    if (!font) continue
    const glyph = font.charToGlyph(letter)
    const scale = size / font.unitsPerEm
    const last = placed.at(-1)
    if (last?.font === font) x += font.getKerningValue(last.glyph, glyph) * scale
    placed.push({ font, glyph, x })
    x += (glyph.advanceWidth ?? 0) * scale
  }
  return { placed, width: x }
}

/** How far a text reaches at a size, in pixels. */
export const widthOf = (text: string, weight: Weight, size: number): number => place(text, weight, size).width

/**
 * The outlines of a text, as the `d` of an SVG path: whoever paints them needs no font, and paints the same on every
 * machine.
 */
export const outline = (text: string, weight: Weight, size: number, left: number, baseline: number): string =>
  place(text, weight, size)
    .placed.flatMap(({ glyph, x }) => glyph.getPath(left + x, baseline, size).commands.map(written))
    .join('')

/** Not the library's own `toPathData`: it writes NaN for what rounds from next to nothing, and keeps all it ever rounded. */
function written(command: OpenType.PathCommand): string {
  if (command.type === 'Z') return 'Z'
  const { type, x, y } = command
  const bends = 'x1' in command ? [command.x1, command.y1] : []
  const more = 'x2' in command ? [command.x2, command.y2] : []
  return type + [...bends, ...more, x, y].map((number) => Number(number.toFixed(1))).join(' ')
}

/**
 * The words of a text in lines of a width; a word that is longer is broken, and where the lines are too many, the last
 * one ends with an ellipsis.
 */
export function linesOf(text: string, weight: Weight, size: number, width: number, most: number): string[] {
  const fits = (line: string) => widthOf(line, weight, size) <= width
  const lines: string[] = []
  for (const word of text.split(/\s+/).flatMap((each) => brokenToFit(each, fits))) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const shown = lines.slice(0, most)
  return shown.map((line, index) => {
    const isCut = index === most - 1 && lines.length > most
    return fits(isCut ? `${line}…` : line) ? line + (isCut ? '…' : '') : shortened(line, fits)
  })
}

/** A word in pieces that fit; none of no word. */
function brokenToFit(word: string, fits: (line: string) => boolean): string[] {
  const pieces: string[] = []
  for (const letter of word) {
    const longer = `${pieces.at(-1) ?? ''}${letter}`
    if (pieces.length > 0 && fits(longer)) pieces[pieces.length - 1] = longer
    else pieces.push(letter)
  }
  return pieces
}

function shortened(line: string, fits: (line: string) => boolean): string {
  const letters = Array.from(line)
  while (letters.length > 1 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('').trimEnd()}…`
}
