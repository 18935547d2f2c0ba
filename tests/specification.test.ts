import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { columns, listTexts, type Row, readHeads, readRows } from './specification-table.ts'
import { countTests, listTitles } from './test-titles.ts'

const root = join(import.meta.dirname, '..')
const document = readFileSync(join(root, 'docs/specification.md'), 'utf8')
const rows = readRows(document)
const rulings = 24

const titles = new Map<string, string[][]>()
function titlesIn(file: string): string[][] {
  const known = titles.get(file) ?? listTitles(join(root, file))
  titles.set(file, known)
  return known
}

/** Returns numbering errors: sections, and rows in each section, count from 1 without gaps. */
function wrongNumbers(all: Row[]): string[] {
  let [section, index] = [0, 0]
  return all.flatMap(({ number }) => {
    const next = [`${section}.${index + 1}`, `${section + 1}.1`]
    if (!next.includes(number)) return [`${number} stands where ${next.join(' or ')} belongs`]
    ;[section = 0, index = 0] = number.split('.').map(Number)
    return []
  })
}

/** Returns errors about the source files of a row, and about texts that they do not contain. */
function wrongPlaces({ builtIn, ...row }: Row): string[] {
  if (builtIn.length === 0) return ['is built nowhere']
  const missing = builtIn.filter((file) => !existsSync(join(root, file)))
  if (missing.length > 0) return missing.map((file) => `${file} does not exist`)
  const sources = builtIn.map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' '))
  return listTexts({ builtIn, ...row })
    .filter((text) => !sources.some((source) => source.includes(text)))
    .map((text) => `“${text}” does not stand in ${builtIn.join(', ')}`)
}

/** Returns errors about the tests that a row cites. */
function wrongTests({ shownBy }: Row): string[] {
  if (shownBy.length === 0) return ['has no test']
  return shownBy.flatMap((test) => {
    const [, file = '', title = ''] = /^(\S+\.(?:test|spec)\.tsx?): (.+)$/s.exec(test) ?? []
    if (!file) return [`“${test}” is no file and title`]
    if (!existsSync(join(root, file))) return [`${file} does not exist`]
    const found = countTests(title, titlesIn(file))
    if (found === 1) return []
    return [`“${title}” ${found === 0 ? 'does not stand' : `stands ${found} times`} in ${file}`]
  })
}

const wrongRulings = (row: Row): string[] =>
  row.rulings
    .filter((ruling) => !/^\d+$/.test(ruling) || Number(ruling) < 1 || Number(ruling) > rulings)
    .map((ruling) => `there is no ruling ${ruling}`)

const wrong = (check: (row: Row) => string[], all = rows): string[] =>
  all.flatMap((row) => check(row).map((fault) => `${row.number} ${fault}`))

describe('docs/specification.md', () => {
  test('has one table for each section, all with the same columns', () => {
    const sections = [...document.matchAll(/^## (\d+)\. /gm)].map((match) => match[1])
    expect(sections).toEqual(sections.map((_, index) => String(index + 1)))
    expect(readHeads(document)).toEqual(sections.map(() => columns))
    expect(new Set(rows.map(({ number }) => number.split('.')[0])).size).toBe(sections.length)
  })

  test('numbers every statement once, without a gap', () => {
    expect(wrongNumbers(rows)).toEqual([])
    expect(rows.length).toBeGreaterThan(200)
  })

  test('says where each is built, and each text that is spelt out stands there letter by letter', () => {
    expect(wrong(wrongPlaces)).toEqual([])
  })

  test('names a test for each, and that test is there', () => {
    expect(wrong(wrongTests)).toEqual([])
  })

  test('has every ruling in it', () => {
    expect(wrong(wrongRulings)).toEqual([])
    const named = new Set(rows.flatMap((row) => row.rulings.map(Number)))
    const missing = Array.from({ length: rulings }, (_, index) => index + 1).filter(
      (each) => !named.has(each),
    )
    expect(missing).toEqual([])
  })
})

describe('the check of it', () => {
  const table = (...lines: string[]) => readRows(lines.map((line) => `| ${line} |`).join('\n'))
  const own = 'tests/specification.test.ts'
  const built = '| | web/texts.ts |'

  test('sees a number that is missing, double, or out of its place', () => {
    const numbers = (...list: string[]) =>
      wrongNumbers(table(...list.map((number) => `${number} | x ${built} y`)))
    expect(numbers('1.1', '1.2', '2.1')).toEqual([])
    for (const list of [['1.2'], ['1.1', '1.3'], ['1.1', '1.1'], ['1.1', '3.1'], ['1.1', '2.2']]) {
      expect(numbers(...list), list.join()).not.toEqual([])
    }
  })

  test('sees a row without a test, a file that is not there, and a title that no test has, or several', () => {
    const faults = (shownBy: string) => wrong(wrongTests, table(`1.1 | x ${built} ${shownBy}`))
    expect(faults(`${own}: has every ruling in it`)).toEqual([])
    expect(faults(`${own}: docs/specification.md > has every ruling in it`)).toEqual([])
    expect(faults('web/retry.test.ts: a failure (503) that may pass is')).toEqual([])
    expect(faults('')).toEqual(['1.1 has no test'])
    expect(faults('by hand')).toEqual(['1.1 “by hand” is no file and title'])
    expect(faults('tests/none.test.ts: a')).toEqual(['1.1 tests/none.test.ts does not exist'])
    expect(faults(`${own}: has every`)).toEqual([`1.1 “has every” does not stand in ${own}`])
    const orders = 'server/modules/orders/orders.test.ts'
    expect(faults(`${orders}: needs a signed-in customer`)).toEqual([
      expect.stringMatching(/stands \d times/),
    ])
    expect(faults(`${orders}: GET /order > needs a signed-in customer`)).toEqual([])
  })

  test('sees a file that is not there, and a text that is spelt otherwise there', () => {
    const faults = (statement: string, file: string) =>
      wrong(wrongPlaces, table(`1.1 | ${statement} | | ${file} | y`))
    expect(faults('says `4 Reviews`', 'web/texts.ts')).toEqual([])
    expect(faults('says `4 reviews`', 'web/texts.ts')).toEqual([
      '1.1 “4 reviews” does not stand in web/texts.ts',
    ])
    expect(faults('x', '')).toEqual(['1.1 is built nowhere'])
    expect(faults('x', 'web/none.ts')).toEqual(['1.1 web/none.ts does not exist'])
  })
})
