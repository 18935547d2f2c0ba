import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = path.join(import.meta.dirname, 'lint-migrations.ts')
const list = 'db/migrations/checksums.txt'
let checkout: string
const at = (name: string) => path.join(checkout, 'db/migrations', name)

const text = 'create table orders ();\n'

beforeEach(() => {
  checkout = mkdtempSync(path.join(tmpdir(), 'checkout-'))
  mkdirSync(at(''), { recursive: true })
  writeFileSync(at('1_orders.sql'), text)
  writeFileSync(at('checksums.txt'), `${hash('sha256', text)}  1_orders.sql\n`)
})
afterEach(() => rmSync(checkout, { recursive: true }))

function run(...args: string[]): [status: number | null, printed: string] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: checkout,
    encoding: 'utf8',
  })
  return [status, stdout + stderr]
}

test('a landed migration passes with any line endings', () => {
  writeFileSync(at('1_orders.sql'), text.replace('\n', '\r\n'))
  expect(run()).toEqual([0, ''])
})

test('a landed migration that was edited, renamed or removed fails, and --add does not change its line', () => {
  appendFileSync(at('1_orders.sql'), '-- a word\n')
  const changed = '1_orders.sql was changed after it landed. Restore it, and make the change in a new file.\n'
  expect(run()).toEqual([1, changed])
  renameSync(at('1_orders.sql'), at('2_orders.sql'))
  expect(run('--add')).toEqual([0, `Added 1 to ${list}.\n`])
  expect(run()).toEqual([1, '1_orders.sql has landed, and is missing. Restore it.\n'])
})

test('a new migration fails until its line is added', () => {
  writeFileSync(at('2_carts.sql'), 'create table carts ();\n')
  expect(run()).toEqual([1, `2_carts.sql is not in ${list}. Run: node scripts/lint-migrations.ts --add\n`])
  expect(run('--add')).toEqual([0, `Added 1 to ${list}.\n`])
  expect(readFileSync(at('checksums.txt'), 'utf8').trim().split('\n')).toHaveLength(2)
})
