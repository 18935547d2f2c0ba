import { expect, test } from 'vitest'
import { listNameKeys, readBikeSearch } from './rules.ts'

const models = [
  { key: 'r6', make: 'yamaha', model: 'yzf-r6', name: 'Yamaha YZF-R6' },
  { key: 'yzfr6', make: 'yamaha', model: 'yzf-r6', name: 'Yamaha YZF-R6' },
  { key: 'monster', make: 'ducati', model: 'monster', name: 'Ducati Monster' },
  { key: 'gs1200', make: 'bmw', model: 'r-1200-gs', name: 'BMW R 1200 GS' },
  { key: 'gs1200', make: 'suzuki', model: 'gs-1200', name: 'Suzuki GS 1200' },
  { key: '690', make: 'ktm', model: '690', name: 'KTM 690' },
]
const makes = new Map([
  ['yamaha', 'yamaha'],
  ['ducati', 'ducati'],
  ['bmw', 'bmw'],
  ['suzuki', 'suzuki'],
  ['motoguzzi', 'moto-guzzi'],
])
const read = (text: string) => {
  const found = readBikeSearch(text, models, makes)
  return found && [found.models.map(({ model }) => model).join(' or '), found.year, found.rest.join(' ')]
}

test.each<[string, [string, number | null, string] | null]>([
  ['2009 r6 brake pads', ['yzf-r6', 2009, 'brake pads']],
  ['brake pads R6 2009', ['yzf-r6', 2009, 'brake pads']],
  ['Brake pads FOR my 2009 r6', ['yzf-r6', 2009, 'Brake pads']],
  ["'09 r6 brake pads", ['yzf-r6', 2009, 'brake pads']],
  ['r6 ’98 chain', ['yzf-r6', 1998, 'chain']],
  ['r6 (2009) brake pads', ['yzf-r6', 2009, 'brake pads']],
  ['2009, yamaha r6, brake pads', ['yzf-r6', 2009, 'brake pads']],
  ['2008-2016 r6 brake pads', ['yzf-r6', null, 'brake pads']],
  ['monster 2008–16 mirrors', ['monster', null, 'mirrors']],
  ['r6 09 brake pads', ['yzf-r6', null, '09 brake pads']],
  ['Yamaha YZF-R6', ['yzf-r6', null, '']],
  ['yzf r6 chain', ['yzf-r6', null, 'chain']],
  ['brake pads', null],
  ['2009 brake pads', null],
  // A word with another meaning.
  ['monster hoodie', null],
  ['ducati monster', ['monster', null, '']],
  ['monster 2015 mirrors', ['monster', 2015, 'mirrors']],
  ['690 seal', null],
  ['690 2015 seal', ['690', 2015, 'seal']],
  // Several models, or the only model of the make.
  ['gs1200 mirror', ['r-1200-gs or gs-1200', null, 'mirror']],
  ['suzuki gs 1200 mirror', ['gs-1200', null, 'mirror']],
  ['honda r6', ['yzf-r6', null, 'honda']],
  ['ducati r6', null],
  ['', null],
  ['2009', null],
])('%j', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

test('looks up every name of up to four words, and none of a text with more than 20 words', () => {
  expect(listNameKeys('Moto Guzzi V7')).toEqual([
    'motoguzziv7',
    'motoguzzi',
    'guzziv7',
    'moto',
    'guzzi',
    'v7',
  ])
  expect(listNameKeys('- !')).toEqual([])
  expect(listNameKeys('a '.repeat(20))).toEqual(['aaaa', 'aaa', 'aa', 'a'])
  expect(listNameKeys('a '.repeat(21))).toEqual([])
})
