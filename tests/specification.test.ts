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
    if (!next.includes(number)) return [`${number} is misplaced: expected ${next.join(' or ')}`]
    ;[section = 0, index = 0] = number.split('.').map(Number)
    return []
  })
}

/** Returns errors about the source files of a row, and about texts that they do not contain. */
function wrongPlaces({ builtIn, ...row }: Row): string[] {
  if (builtIn.length === 0) return ['has no source file']
  const missing = builtIn.filter((file) => !existsSync(join(root, file)))
  if (missing.length > 0) return missing.map((file) => `${file} does not exist`)
  const sources = builtIn.map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' '))
  return listTexts({ builtIn, ...row })
    .filter((text) => !sources.some((source) => source.includes(text)))
    .map((text) => `“${text}” is not in ${builtIn.join(', ')}`)
}

/** Returns errors about the tests that a row cites. */
function wrongTests({ shownBy }: Row): string[] {
  if (shownBy.length === 0) return ['has no test']
  return shownBy.flatMap((test) => {
    const [, file = '', title = ''] = /^(\S+\.(?:test|spec)\.tsx?): (.+)$/s.exec(test) ?? []
    if (!file) return [`“${test}” is not a file and a title`]
    if (!existsSync(join(root, file))) return [`${file} does not exist`]
    const found = countTests(title, titlesIn(file))
    if (found === 1) return []
    return [`“${title}” ${found === 0 ? 'is not' : `is ${found} times`} in ${file}`]
  })
}

const wrongRulings = (row: Row): string[] =>
  row.rulings
    .filter((ruling) => !/^\d+$/.test(ruling) || Number(ruling) < 1 || Number(ruling) > rulings)
    .map((ruling) => `there is no ruling ${ruling}`)

const wrong = (check: (row: Row) => string[], all = rows): string[] =>
  all.flatMap((row) => check(row).map((fault) => `${row.number} ${fault}`))

describe('docs/specification.md', () => {
  test('has one table per section, all with the same columns', () => {
    const sections = [...document.matchAll(/^## (\d+)\. /gm)].map((match) => match[1])
    expect(sections).toEqual(sections.map((_, index) => String(index + 1)))
    expect(readHeads(document)).toEqual(sections.map(() => columns))
    expect(new Set(rows.map(({ number }) => number.split('.')[0])).size).toBe(sections.length)
  })

  test('numbers every statement once, without gaps', () => {
    expect(wrongNumbers(rows)).toEqual([])
    expect(rows.length).toBeGreaterThan(200)
  })

  test('names existing files for each statement, and they contain its quoted texts', () => {
    expect(wrong(wrongPlaces)).toEqual([])
  })

  test('names an existing test for each statement', () => {
    expect(wrong(wrongTests)).toEqual([])
  })

  test('mentions every ruling', () => {
    expect(wrong(wrongRulings)).toEqual([])
    const named = new Set(rows.flatMap((row) => row.rulings.map(Number)))
    const missing = Array.from({ length: rulings }, (_, index) => index + 1).filter(
      (each) => !named.has(each),
    )
    expect(missing).toEqual([])
  })
})

describe('the check', () => {
  const table = (...lines: string[]) => readRows(lines.map((line) => `| ${line} |`).join('\n'))
  const own = 'tests/specification.test.ts'
  const built = '| | web/texts.ts |'

  test('finds missing, duplicate and misplaced numbers', () => {
    const numbers = (...list: string[]) =>
      wrongNumbers(table(...list.map((number) => `${number} | x ${built} y`)))
    expect(numbers('1.1', '1.2', '2.1')).toEqual([])
    for (const list of [['1.2'], ['1.1', '1.3'], ['1.1', '1.1'], ['1.1', '3.1'], ['1.1', '2.2']]) {
      expect(numbers(...list), list.join()).not.toEqual([])
    }
  })

  test('finds a row without a test, a missing file, and an unknown or ambiguous title', () => {
    const faults = (shownBy: string) => wrong(wrongTests, table(`1.1 | x ${built} ${shownBy}`))
    expect(faults(`${own}: mentions every ruling`)).toEqual([])
    expect(faults(`${own}: docs/specification.md > mentions every ruling`)).toEqual([])
    expect(faults('web/retry.test.ts: a temporary error (503) is retried')).toEqual([])
    expect(faults('')).toEqual(['1.1 has no test'])
    expect(faults('by hand')).toEqual(['1.1 “by hand” is not a file and a title'])
    expect(faults('tests/none.test.ts: a')).toEqual(['1.1 tests/none.test.ts does not exist'])
    expect(faults(`${own}: has every`)).toEqual([`1.1 “has every” is not in ${own}`])
    const charges = 'server/modules/pricing/charges.test.ts'
    const twice = 'are added, changed and deleted by admins, and the audit has each change'
    expect(faults(`${charges}: ${twice}`)).toEqual([expect.stringMatching(/is \d times in/)])
    expect(faults(`${charges}: shipping rates > ${twice}`)).toEqual([])
  })

  test('finds a missing file and a text that differs', () => {
    const faults = (statement: string, file: string) =>
      wrong(wrongPlaces, table(`1.1 | ${statement} | | ${file} | y`))
    expect(faults('says `4 Reviews`', 'web/texts.ts')).toEqual([])
    expect(faults('says `4 reviews`', 'web/texts.ts')).toEqual(['1.1 “4 reviews” is not in web/texts.ts'])
    expect(faults('x', '')).toEqual(['1.1 has no source file'])
    expect(faults('x', 'web/none.ts')).toEqual(['1.1 web/none.ts does not exist'])
  })
})
