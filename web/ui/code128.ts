/**
 * The widths of the bars and spaces of each symbol, in modules, beginning with a bar: ISO/IEC 15417. The index is the value of
 * the symbol.
 */
const symbols = `
  212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132
  122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212
  322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311
  112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321
  331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214
  112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212
  124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113
  411311 113141 114131 311141 411131 211412 211214 211232 2331112`
  .trim()
  .split(/\s+/)
const startB = 104
const stop = 106
/** The modules without bars that a scanner needs at each side. */
const quietZone = 10

/**
 * Draws a text as a bar code in Code 128, code set B.
 *
 * @param text printable ASCII
 * @returns the path of the bars, which are 1 high, and the width with both quiet zones, in modules
 * @throws RangeError for any other character
 */
export function drawCode128(text: string): { path: string; width: number } {
  const values = [startB, ...Array.from(text, toValue)]
  // The start symbol counts like the first character.
  const sum = values.reduce((total, value, index) => total + value * Math.max(index, 1), 0)
  let x = quietZone
  let path = ''
  for (const value of [...values, sum % 103, stop]) {
    for (const [index, width] of Array.from(symbols[value] ?? '', Number).entries()) {
      if (index % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`
      x += width
    }
  }
  return { path, width: x + quietZone }
}

function toValue(character: string): number {
  const code = character.charCodeAt(0)
  if (character.length > 1 || code < 32 || code > 126) throw new RangeError('Code set B has only ASCII')
  return code - 32
}
