import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { publishFiles } from './publish-files.ts'

let parent: string
let target: string

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'publish-'))
  target = path.join(parent, 'all')
})
afterEach(() => rmSync(parent, { recursive: true }))

/** Publishes a build that consists of these files. */
function publish(...names: string[]) {
  const source = path.join(parent, names.join())
  mkdirSync(source, { recursive: true })
  for (const name of names) writeFileSync(path.join(source, name), `content of ${name}`)
  return publishFiles(source, target, 3)
}

const published = () => readdirSync(target).filter((name) => !name.startsWith('.'))

test('keeps the files of the last three builds', () => {
  expect(publish('shared', 'one')).toEqual({ added: 2, removed: 0 })
  publish('shared', 'two')
  publish('shared', 'three')
  expect(published()).toEqual(['one', 'shared', 'three', 'two'])
  expect(publish('four')).toEqual({ added: 1, removed: 1 })
  expect(published()).toEqual(['four', 'shared', 'three', 'two'])
  expect(readFileSync(path.join(target, 'four'), 'utf8')).toBe('content of four')
})

test('a build that is published again is the newest one', () => {
  for (const name of ['one', 'two', 'one', 'three', 'four']) publish(name)
  expect(published()).toEqual(['four', 'one', 'three'])
})

test('deletes no file that it has not published', () => {
  publish('one')
  writeFileSync(path.join(target, 'notes'), '')
  for (const name of ['two', 'three', 'four']) publish(name)
  expect(published()).toEqual(['four', 'notes', 'three', 'two'])
})
