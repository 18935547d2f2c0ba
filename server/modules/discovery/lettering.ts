import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as OpenType from 'opentype.js'

export type Weight = 600 | 700

/** The shop's own face; the second file has the letters of more languages. */
const subsets = ['latin', 'latin-ext']
const require = createRequire(import.meta.url)
// Its modules name their parts in a way that Node's import cannot read.
const { parse } = require('opentype.js') as typeof OpenType
const opened = new Map<Weight, OpenType.Font[]>()

function fontsOf(weight: Weight): OpenType.Font[] {
  const known = opened.get(weight)
  if (known) return known
  const fonts = subsets.map((subset) => {
    const file = require.resolve(
      `@fontsource/barlow-condensed/files/barlow-condensed-${subset}-${weight}-normal.woff`,
    )
    return parse(new Uint8Array(readFileSync(file)).buffer)
  })
  opened.set(weight, fonts)
  return fonts
}

interface Run {
  font: OpenType.Font
  text: string
}

/** Neighbouring letters that one font has. What none has is left out: better than a box in its place. */
function runsOf(text: string, weight: Weight): Run[] {
  const fonts = fontsOf(weight)
  const runs: Run[] = []
  for (const letter of text.normalize('NFC')) {
    const font = fonts.find((each) => each.charToGlyphIndex(letter) > 0)
    const last = runs.at(-1)
    if (font && last?.font === font) last.text += letter
    else if (font) runs.push({ font, text: letter })
  }
  return runs
}

/** How far a text reaches at a size, in pixels. */
export function widthOf(text: string, weight: Weight, size: number): number {
  return runsOf(text, weight).reduce((width, run) => width + run.font.getAdvanceWidth(run.text, size), 0)
}

/**
 * The outlines of a text, as the `d` of an SVG path: whoever paints them needs no font, and paints the same on every
 * machine.
 */
export function outline(text: string, weight: Weight, size: number, left: number, baseline: number): string {
  let x = left
  let path = ''
  for (const run of runsOf(text, weight)) {
    path += run.font.getPath(run.text, x, baseline, size).commands.map(written).join('')
    x += run.font.getAdvanceWidth(run.text, size)
  }
  return path
}

/** Not the library's own `toPathData`: it writes NaN for what rounds from next to nothing, and keeps all it ever rounded. */
function written(command: OpenType.PathCommand): string {
  if (command.type === 'Z') return 'Z'
  const { type, x, y } = command
  const bends = 'x1' in command ? [command.x1, command.y1] : []
  const more = 'x2' in command ? [command.x2, command.y2] : []
  return type + [...bends, ...more, x, y].map((number) => Number(number.toFixed(1))).join(' ')
}

/** The words of a text in lines of a width; where they are too many, the last line ends with an ellipsis. */
export function linesOf(text: string, weight: Weight, size: number, width: number, most: number): string[] {
  const fits = (line: string) => widthOf(line, weight, size) <= width
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
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

function shortened(line: string, fits: (line: string) => boolean): string {
  const letters = Array.from(line)
  while (letters.length > 1 && !fits(`${letters.join('')}…`)) letters.pop()
  return `${letters.join('').trimEnd()}…`
}
