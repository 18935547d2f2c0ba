import { describe, expect, test } from 'vitest'
import { contrast, isReadable, lowestContrast, mix, nearestReadable } from './contrast.ts'
import { brandColors } from './shop.ts'

test('the contrast of two colours is the ratio of WCAG 2.2', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#ffffff', '#777777')).toBe(contrast('#777777', '#ffffff'))
})

describe('a colour of the brand', () => {
  test('is readable as the shop has it', () => {
    expect(lowestContrast('accent', brandColors.signal)).toBeCloseTo(4.88, 1)
    expect(isReadable('accent', brandColors.signal)).toBe(true)
    expect(isReadable('accentOnDark', brandColors['signal-bright'])).toBe(true)
  })

  test.each([
    ['accent', '#e63900'],
    ['accent', '#ffffff'],
    ['accentOnDark', '#15171b'],
    ['accentOnDark', '#000000'],
  ] as const)('%s %s is refused, and the nearest tone is readable', (name, color) => {
    expect(isReadable(name, color)).toBe(false)
    const nearest = nearestReadable(name, color)
    expect(nearest).toMatch(/^#[0-9a-f]{6}$/)
    expect(isReadable(name, nearest)).toBe(true)
  })

  test('stays the same if it is readable', () => {
    expect(nearestReadable('accent', '#0a7a5c')).toBe('#0a7a5c')
    expect(mix('#0A7a5C', 0, 0)).toBe('#0a7a5c')
  })
})
