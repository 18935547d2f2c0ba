import { expect, test } from 'vitest'
import { renderInRouter } from '../../../tests/render-in-router.tsx'
import { ProductFilters } from './product-filters.tsx'

const count = { count: 1, estimated: false }
const counts = {
  total: 1,
  estimated: false,
  fit: { fits: count, some: count, universal: count, unconfirmed: count },
}
const noValues = new Proxy({}, { get: () => ({ values: [], estimated: false }) })

const render = (fit: ('fits' | 'some')[]) =>
  renderInRouter(
    <ProductFilters
      counts={{ ...counts, facets: noValues } as never}
      chosen={{}}
      range={null}
      fit={fit}
      search="bike=1"
    />,
  )
/** Crosses of the list, without the one that closes the filters. */
const countCrosses = (html: string) => (html.split('<ul>')[1] ?? '').match(/<svg/g)?.length ?? 0

test('a fit has a cross if it can be removed', () => {
  expect(countCrosses(render([]))).toBe(0)
  expect(countCrosses(render(['some']))).toBe(1)
  expect(countCrosses(render(['fits', 'some']))).toBe(2)
})
