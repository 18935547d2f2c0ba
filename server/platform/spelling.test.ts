import { expect, test } from 'vitest'
import { nearestWords } from './spelling.ts'

const known = [
  'brake',
  'brakes',
  'brace',
  'chain',
  'chin',
  'helmet',
  'helm',
  'silencer',
  'ring',
  'rings',
  'oil',
]

test.each([
  ['braek', ['brake'], 'two letters exchanged'],
  ['brke', ['brake'], 'a letter left out'],
  ['braake', ['brake'], 'a letter too many'],
  ['vhain', ['chain'], 'a wrong letter at the beginning'],
  ['helmrt', ['helmet'], 'a wrong letter'],
  ['silenscr', ['silencer'], 'two slips'],
  ['silnecre', ['silencer'], 'two exchanges'],
  ['brake', ['brake'], 'nothing wrong'],
  ['oli', ['oil'], 'three letters'],
])('%s is %j: %s', (typed, expected) => {
  expect(nearestWords(typed, known)).toEqual(expected)
})

test.each(['ol', 'wheel', 'xyzzy', '', 'chocolate'])('%j has no correction', (typed) => {
  expect(nearestWords(typed, known)).toEqual([])
})
