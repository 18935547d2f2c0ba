import { expect, test } from 'vitest'
import { isFormatted, toMarkdown } from './paste.ts'

test.each([
  [
    'headings and paragraphs',
    '<h2>Terms</h2><p>One <b>bold</b> and <i>slanted</i> word.</p>',
    '## Terms\n\nOne **bold** and *slanted* word.',
  ],
  ['lists', '<ul><li>a</li><li>b</li></ul>', '-   a\n-   b'],
  ['links', '<p><a href="https://example.com/a">Site</a></p>', '[Site](https://example.com/a)'],
  [
    'a table whose cells have paragraphs and pipes',
    '<table><tbody><tr><td><p>Size</p></td><td>Price</td></tr><tr><td>M</td><td>a|b</td></tr></tbody></table>',
    '| Size | Price |\n| --- | --- |\n| M | a\\|b |',
  ],
  [
    'a text of Google Docs',
    '<b style="font-weight:normal;" id="docs"><p><span>Plain</span></p></b>',
    'Plain',
  ],
  [
    'no scripts, styles and pictures',
    '<style>p{}</style><script>x()</script><p>a<img src="https://x.example/y.png"></p>',
    'a',
  ],
  ['marks of Markdown as text', '<p>1. *not* a # heading</p>', '1\\. \\*not\\* a # heading'],
])('pasted HTML keeps %s', (_, html, markdown) => {
  expect(toMarkdown(html)).toBe(markdown)
})

test('text of a code editor is pasted as it is', () => {
  expect(isFormatted('<div><span style="color:red">## Heading</span></div>')).toBe(false)
  expect(isFormatted('<p>Paragraph</p>')).toBe(true)
})
