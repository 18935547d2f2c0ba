import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brandColors } from './shop.ts'

const stylesheet = readFileSync(new URL('../web/app.css', import.meta.url), 'utf8')

test.each(Object.entries(brandColors))('%s is the same colour as in the style sheet', (name, color) => {
  expect(stylesheet.toLowerCase()).toContain(`--color-${name}: ${color};`)
})
