import { beforeEach, describe, expect, test, vi } from 'vitest'
import { interceptNavigation, navigate } from './navigation.ts'

const location = new URL('http://shop.invalid/')
const show = vi.fn<Parameters<typeof interceptNavigation>[0]>()
const scrolling = () => show.mock.calls.map(([{ pathname, search }, , keep]) => [pathname + search, keep])

beforeEach(() => {
  location.href = 'http://shop.invalid/products'
  show.mockReset().mockResolvedValue()
})

describe('without the Navigation API', () => {
  let goBack: () => void

  beforeEach(() => {
    const changeUrl = (_state: unknown, _title: string, to: string) => {
      location.href = new URL(to, location).href
    }
    vi.stubGlobal('window', { location, history: { pushState: changeUrl, replaceState: changeUrl } })
    vi.stubGlobal('reportError', vi.fn<typeof reportError>())
    vi.stubGlobal('addEventListener', (_type: 'popstate', listener: () => void) => {
      goBack = listener
    })
    interceptNavigation(show)
  })

  test('a new page scrolls, a sorted list does not, and the browser scrolls on back', () => {
    navigate('/order/1#key')
    navigate('/products?sort=price', { keepScroll: true })
    navigate('/cart', { replace: true })
    goBack()
    expect(scrolling()).toEqual([
      ['/order/1', false],
      ['/products?sort=price', true],
      ['/cart', false],
      ['/cart', undefined],
    ])
  })

  test('the next navigation aborts one that is not rendered yet', () => {
    navigate('/blogs')
    navigate('/reviews')
    expect(show.mock.calls.map(([, signal]) => signal.aborted)).toEqual([true, false])
  })
})

describe('with the Navigation API', () => {
  const navigation = new EventTarget()
  const intercept = vi.fn<(options: NavigationInterceptOptions) => void>()
  const fire = (navigationType: NavigationType, url: string | URL) => {
    const event = { canIntercept: true, navigationType, formData: null, downloadRequest: null, intercept }
    const { signal } = new AbortController()
    const destination = { url: new URL(url, location).href }
    navigation.dispatchEvent(Object.assign(new Event('navigate'), event, { signal, destination }))
  }

  beforeEach(() => {
    intercept.mockReset().mockImplementation(({ handler }) => void handler?.())
    const pushState = (_state: unknown, _title: string, to: string) => fire('push', to)
    const replaceState = (_state: unknown, _title: string, to: string) => fire('replace', to)
    vi.stubGlobal('window', { location, navigation, history: { pushState, replaceState } })
  })

  test('the browser scrolls only on back and forward, which have no option of an earlier navigation', () => {
    interceptNavigation(show)
    navigate('/products?sort=price', { keepScroll: true })
    fire('push', '/blogs')
    navigate('/cart', { replace: true })
    fire('traverse', '/products')
    expect(scrolling()).toEqual([
      ['/products?sort=price', true],
      ['/blogs', false],
      ['/cart', false],
      ['/products', undefined],
    ])
    expect(intercept.mock.calls.map(([{ scroll }]) => scroll)).toEqual([
      'manual',
      'manual',
      'manual',
      'after-transition',
    ])
  })
})
