import { expect, test } from 'vitest'
import { drawCode128 } from './code128.ts'

/** The bars (1) and spaces (0) of each symbol, in the order of their values. */
const table = `
  11011001100 11001101100 11001100110 10010011000 10010001100 10001001100 10011001000 10011000100
  10001100100 11001001000 11001000100 11000100100 10110011100 10011011100 10011001110 10111001100
  10011101100 10011100110 11001110010 11001011100 11001001110 11011100100 11001110100 11101101110
  11101001100 11100101100 11100100110 11101100100 11100110100 11100110010 11011011000 11011000110
  11000110110 10100011000 10001011000 10001000110 10110001000 10001101000 10001100010 11010001000
  11000101000 11000100010 10110111000 10110001110 10001101110 10111011000 10111000110 10001110110
  11101110110 11010001110 11000101110 11011101000 11011100010 11011101110 11101011000 11101000110
  11100010110 11101101000 11101100010 11100011010 11101111010 11001000010 11110001010 10100110000
  10100001100 10010110000 10010000110 10000101100 10000100110 10110010000 10110000100 10011010000
  10011000010 10000110100 10000110010 11000010010 11001010000 11110111010 11000010100 10001111010
  10100111100 10010111100 10010011110 10111100100 10011110100 10011110010 11110100100 11110010100
  11110010010 11011011110 11011110110 11110110110 10101111000 10100011110 10001011110 10111101000
  10111100010 11110101000 11110100010 10111011110 10111101110 11101011110 11110101110`
  .trim()
  .split(/\s+/)
const startB = '11010010000'
const stop = '1100011101011'

/** Reads a drawn code as modules: 1 is dark. */
function toModules({ path, width }: ReturnType<typeof drawCode128>): string {
  const modules = Array.from({ length: width }, () => '0')
  for (const [, x, bar, back] of path.matchAll(/M(\d+) 0h(\d+)v1h-(\d+)z/g)) {
    expect(back).toBe(bar)
    modules.fill('1', Number(x), Number(x) + Number(bar))
  }
  return modules.join('')
}

/** Scans modules: checks quiet zones, start, check symbol and stop. Returns the text. */
function scan(modules: string): string {
  const [, code = ''] = /^0{10}(1.*1)0{10}$/.exec(modules) ?? []
  expect(code.startsWith(startB)).toBe(true)
  expect(code.endsWith(stop)).toBe(true)
  const data = code.slice(startB.length, -stop.length).match(/.{11}/g) ?? []
  const values = data.map((symbol) => table.indexOf(symbol))
  const check = values.pop()
  expect(values.reduce((sum, value, index) => sum + value * (index + 1), 104) % 103).toBe(check)
  return String.fromCharCode(...values.map((value) => value + 32))
}

test('the beginning of an order id is read as it was drawn', () => {
  for (const text of ['0123456789abcdef', 'ffffffffffffffff', '00a1b2c3d4e5f607']) {
    const drawn = drawCode128(text)
    expect(drawn.width).toBe(231)
    expect(scan(toModules(drawn))).toBe(text)
  }
})

test('every printable character has its own symbol', () => {
  const text = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => index + 32))
  expect(scan(toModules(drawCode128(text)))).toBe(text)
})

test('the check symbol is the one of the published example', () => {
  // Wikipedia shows PJJ123C in code set A with the check symbol 54. Set B has the same values, and its start counts one more.
  const code = toModules(drawCode128('PJJ123C'))
  expect(code.slice(-10 - 13 - 11, -10 - 13)).toBe('11101000110')
  expect(scan(code)).toBe('PJJ123C')
})

test('a character outside of the set is an error', () => {
  for (const text of ['ä', '\t', '\u{1F3CD}']) expect(() => drawCode128(text)).toThrow(RangeError)
})
