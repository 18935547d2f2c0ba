import { expect, test } from 'vitest'
import { describeUpgrade } from './upgrade-check.ts'

const works = { name: '20270101000000_works.sql', isRunnable: true }
const breaks = { name: '20270102000000_breaks.sql', isRunnable: false }

test.each([
  ['an empty database', { isEmpty: true, pending: [breaks] }, 0, /is empty/],
  ['a database without pending migrations', { isEmpty: false, pending: [] }, 0, /is up to date/],
  ['migrations that the running version works with', { isEmpty: false, pending: [works] }, 0, /can continue/],
  [
    'a migration that the running version does not work with',
    { isEmpty: false, pending: [works, breaks] },
    2,
    /Stop the running version first: .* 20270102000000_breaks\.sql\.$/,
  ],
])('the check of %s has its sentence and exit code', (_, found, exitCode, sentence) => {
  expect(describeUpgrade(found)).toEqual({ sentence: expect.stringMatching(sentence), exitCode })
})
