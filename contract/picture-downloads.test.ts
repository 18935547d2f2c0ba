import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { matchFile } from './picture-downloads.ts'

// Safari 17 has no `URL.parse`.
beforeEach(() => void vi.spyOn(URL, 'parse').mockImplementation(() => expect.unreachable('URL.parse')))
afterEach(() => void vi.restoreAllMocks())

const site = 'https://cdn.example'

test.each([
  ['pads.jpg', [`${site}/files/pads.jpg?v=1`], [0]],
  ['a/1.jpg', [`${site}/files/a/1.jpg`, `${site}/files/b/1.jpg`], [0]],
  ['exports/a/1.jpg', [`${site}/b/1.jpg`, `${site}/A/1.JPG`], [1]],
  ['1.jpg', [`${site}/a/1.jpg`, `${site}/b/1.jpg`], []],
  ['1.jpg', [`${site}/a/1.jpg?v=1`, 'https://old.example/a/1.jpg?v=2'], [0, 1]],
  ['vier zylinder.png', [`${site}/vier%20zylinder.png`], [0]],
  ['100%.png', [`${site}/100%.png`], [0]],
  ['pads.jpg', ['/old/pads.jpg'], [0]],
  ['pads.jpg', [], []],
])('the file %s fits of %j those at %j', (path, urls, places) => {
  expect(matchFile(path, urls)).toEqual(places.map((place) => urls[place]))
})
