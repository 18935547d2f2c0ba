import { describe, expect, test } from 'vitest'
import { isAllowedLink } from '../../../contract/hrefs.ts'
import { findMarkupFaults, payloads } from '../../../tests/hostile-markdown.ts'
import { createMarkdown } from './markdown.ts'

const render = createMarkdown(null)
const picture = `/pictures/uploaded/${'0'.repeat(32)}-640.jpeg`

test('the headings of a text start at h2 if it uses other levels', () => {
  expect(render('# A\n\n## B')).toBe('<h2>A</h2>\n<h3>B</h3>\n')
  expect(render('### A\n\n###### B')).toBe('<h2>A</h2>\n<h5>B</h5>\n')
  expect(render(`${'#'.repeat(1)} A\n\n${'#'.repeat(6)} B`)).toBe('<h2>A</h2>\n<h6>B</h6>\n')
})

test('a line break of an address stays, and an email or a URL becomes a link', () => {
  expect(render('1 Road\nmail@example.com')).toBe(
    '<p>1 Road<br>\n<a href="mailto:mail@example.com">mail@example.com</a></p>\n',
  )
})

test('a table scrolls, and its alignment is a class', () => {
  const html = render('| a | b |\n| :-: | --: |\n| 1 | 2 |')
  expect(html).toContain('<div class="wide" role="region" aria-label="Table" tabindex="0"><table>')
  expect(html).toContain('<th class="center">a</th>')
  expect(html).toContain('<td class="right">2</td>')
  expect(html).not.toContain('style')
})

test('an uploaded picture has all its widths, and another one is its text', () => {
  const html = render(`![Front <b>](${picture})`)
  expect(html).toContain('<source type="image/avif" srcset="/pictures/uploaded/')
  expect(html).toContain(`src="${picture}" alt="Front &lt;b&gt;"`)
  expect(render('![Front](https://example.com/a.png)')).toBe('<p>Front</p>\n')
  expect(createMarkdown('https://cdn.example.com')(`![Front](${picture})`)).toContain(
    `src="https://cdn.example.com/pictures/${'0'.repeat(32)}-640.jpeg"`,
  )
})

test.each([
  ['https://example.com', true],
  ['mailto:a@example.com', true],
  ['tel:+49301234', true],
  ['#top', true],
  ['/pages/terms', true],
  ['/', true],
  ['//example.com', false],
  ['/\\example.com', false],
  ['/\t/example.com', false],
  ['javascript:alert(1)', false],
  ['https:example.com', false],
  ['terms', false],
  ['', false],
])('the link %j is allowed: %s', (href, isAllowed) => {
  expect(isAllowedLink(href)).toBe(isAllowed)
})

describe('a hostile text', () => {
  test('never becomes markup, a link to a script or a picture of another host', () => {
    expect(payloads.length).toBeGreaterThan(200)
    expect(
      payloads.flatMap((text) => findMarkupFaults(render(text)).map((fault) => `${text}: ${fault}`)),
    ).toEqual([])
  })

  test.each([
    '<p><script></p>',
    '<p onclick="x">a</p>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href="//evil.example">a</a>',
    '<img src="https://evil.example/a.png" alt="">',
    '<td style="text-align:right">a</td>',
    '<code class="language-x">a</code>',
    '<p>a < b</p>',
  ])('would be found in %s', (html) => {
    expect(findMarkupFaults(html)).not.toEqual([])
  })

  test('of the longest size is rendered within ten seconds', () => {
    for (const part of ['[', '](', '**a ', '> ', '- \n', '`', '![](', '| a ', 'a@', 'http://', '<a ']) {
      const start = performance.now()
      render(part.repeat(Math.floor(100_000 / part.length)))
      expect(performance.now() - start, part).toBeLessThan(10_000)
    }
  })
})
