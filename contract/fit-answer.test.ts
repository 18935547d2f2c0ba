import { describe, expect, test } from 'vitest'
import { decideFit, type FitAnswer, fitKinds } from './fit-answer.ts'

const bike = (version: string) => ({ make: 'hayashi', model: 'k6', year: 2012, version })
const fitment = (version?: string) => ({
  make: 'hayashi',
  model: 'k6',
  yearFrom: 2010,
  yearTo: 2014,
  ...(version !== undefined && { version }),
})
const every = fitment()
const own = fitment('abs')
const other = fitment('Standard')

interface Case {
  fitKind: (typeof fitKinds)[number]
  stated: boolean
  a: boolean
  v: boolean
  o: boolean
  complete: boolean
}

const either = [false, true]
const cases: Case[] = fitKinds.flatMap((fitKind) =>
  either.flatMap((stated) =>
    either.flatMap((a) =>
      either.flatMap((v) =>
        either.flatMap((o) => either.map((complete) => ({ fitKind, stated, a, v, o, complete }))),
      ),
    ),
  ),
)

interface Row {
  when: Partial<Case>
  answer: FitAnswer
  /** The sets of fitments that are returned. */
  returned: string
  versions: boolean
}

/** The rows of the design. Exactly one of them applies to each case. */
const rows: Row[] = [
  { when: { fitKind: 'gear' }, answer: 'gear', returned: '', versions: false },
  { when: { fitKind: 'universal' }, answer: 'universal', returned: '', versions: false },
  { when: { fitKind: 'vehicle', a: true }, answer: 'fits', returned: 'av', versions: false },
  {
    when: { fitKind: 'vehicle', stated: true, a: false, v: true },
    answer: 'fits',
    returned: 'v',
    versions: false,
  },
  {
    when: { fitKind: 'vehicle', stated: false, a: false, v: false, o: true },
    answer: 'fits_some',
    returned: 'o',
    versions: true,
  },
  {
    when: { fitKind: 'vehicle', stated: true, a: false, v: false, o: true, complete: true },
    answer: 'does_not_fit',
    returned: '',
    versions: true,
  },
  {
    when: { fitKind: 'vehicle', stated: true, a: false, v: false, o: true, complete: false },
    answer: 'not_confirmed',
    returned: '',
    versions: true,
  },
  {
    when: { fitKind: 'vehicle', a: false, v: false, o: false, complete: true },
    answer: 'does_not_fit',
    returned: '',
    versions: false,
  },
  {
    when: { fitKind: 'vehicle', a: false, v: false, o: false, complete: false },
    answer: 'not_confirmed',
    returned: '',
    versions: false,
  },
]

describe('decideFit', () => {
  // A bike without a stated version matches no fitment for a version.
  const possible = cases.filter(({ stated, v }) => stated || !v)

  test.each(possible)('$fitKind, version stated: $stated, A $a, V $v, O $o, complete $complete', (given) => {
    const applicable = rows.filter(({ when }) =>
      Object.entries(when).every(([name, value]) => given[name as keyof Case] === value),
    )
    expect(applicable).toHaveLength(1)
    const [row] = applicable
    const sets: [name: keyof Case, fitment: typeof every][] = [
      ['a', every],
      ['v', own],
      ['o', other],
    ]
    const stored = sets.filter(([name]) => given[name])
    const product = { fitKind: given.fitKind, fitComplete: given.complete }
    expect(
      decideFit(
        product,
        bike(given.stated ? 'ABS' : ''),
        stored.map(([, each]) => each),
      ),
    ).toEqual({
      answer: row?.answer,
      fitments: stored.filter(([name]) => row?.returned.includes(name)).map(([, each]) => each),
      versions: row?.versions ? ['Standard'] : [],
    })
  })

  test('applies each row of the design', () => {
    expect(
      rows.filter(({ when }) =>
        possible.some((given) =>
          Object.entries(when).every(([name, value]) => given[name as keyof Case] === value),
        ),
      ),
    ).toHaveLength(9)
  })

  const vehicle = { fitKind: 'vehicle', fitComplete: false } as const

  test.each([
    ['first year', { yearFrom: 2012 }, 'fits'],
    ['last year', { yearTo: 2012 }, 'fits'],
    ['year before', { yearFrom: 2013 }, 'not_confirmed'],
    ['year after', { yearTo: 2011 }, 'not_confirmed'],
    ['another model', { model: 'k7' }, 'not_confirmed'],
    ['a model of another make with the same name', { make: 'yamaha' }, 'not_confirmed'],
  ] as const)('%s', (_, change, answer) => {
    expect(decideFit(vehicle, bike(''), [{ ...every, ...change }]).answer).toBe(answer)
  })

  test('names each version once, in any case', () => {
    const fitments = [fitment('ABS'), fitment('abs'), fitment('SP')]
    expect(decideFit(vehicle, bike(''), fitments).versions).toEqual(['ABS', 'SP'])
  })
})
