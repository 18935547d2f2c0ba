import { expect, test } from 'vitest'
import {
  insertBlock,
  insertLink,
  type Selected,
  type TextEdit,
  toggleMark,
  togglePrefix,
} from './markdown-edits.ts'

/** Reads a text whose selection is between brackets of this kind: `a ‹b› c`. */
function select(marked: string): Selected {
  const start = marked.indexOf('‹')
  const end = marked.indexOf('›') - 1
  return { text: marked.replace(/[‹›]/g, ''), start, end }
}

function apply({ text }: Selected, { from, to, insert, select: [start, end] }: TextEdit): string {
  const shown = `${insert.slice(0, start)}‹${insert.slice(start, end)}›${insert.slice(end)}`
  return text.slice(0, from) + shown + text.slice(to)
}

test.each([
  ['marks a selection', 'a ‹b› c', 'a **‹b›** c'],
  ['removes the marks', 'a **‹b›** c', 'a ‹b› c'],
  ['inserts a marked placeholder without a selection', 'a ‹›', 'a **‹bold text›**'],
  ['marks a selection at the beginning', '‹b› c', '**‹b›** c'],
])('the bold button %s', (_, before, after) => {
  const selected = select(before)
  expect(apply(selected, toggleMark(selected, '**', 'bold text'))).toBe(after)
})

test.each([
  ['starts a list in a blank line', 'a\n‹›', 'a\n- ‹›'],
  ['makes each selected line an item', 'x\n‹a\nb›\ny', 'x\n‹- a\n- b›\ny'],
  ['skips blank lines between items', '‹a\n\nb›', '‹- a\n\n- b›'],
  ['removes the items', '- a\n- ‹b›', '- a\nb‹›'],
  ['changes the line of the cursor', 'one\ntw‹›o\nthree', 'one\n- two‹›\nthree'],
])('the list button %s', (_, before, after) => {
  const selected = select(before)
  expect(apply(selected, togglePrefix(selected, '- '))).toBe(after)
})

test('a link has the selection as its text, and its address is selected', () => {
  const selected = select('See ‹our terms›.')
  expect(apply(selected, insertLink(selected))).toBe('See [our terms](‹https://›).')
})

test.each([
  ['an empty text', '‹›', '‹x›\n'],
  ['a paragraph', 'a‹›', 'a\n\n‹x›\n'],
  ['a paragraph before another one', 'a‹›\n\nb', 'a\n\n‹x›\n\n\nb'],
  ['the middle of a line', 'a ‹›b', 'a \n\n‹x›\n\nb'],
])('a block in %s has blank lines around it', (_, before, after) => {
  const selected = select(before)
  expect(apply(selected, insertBlock(selected, 'x', 'x'))).toBe(after)
})
