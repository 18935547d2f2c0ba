import TurndownService from 'turndown'

// Loaded when an admin pastes formatted text.

/** Whether pasted HTML has formatting. Code editors put plain text into `div` and `span` elements. */
export const isFormatted = (html: string): boolean =>
  /<(h[1-6]|p|ul|ol|li|table|strong|b|em|i|a|blockquote)[\s>]/i.test(html)

/** Converts pasted HTML to Markdown. Pictures are left out: the shop shows only uploaded ones. */
export function toMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    emDelimiter: '*',
    codeBlockStyle: 'fenced',
    hr: '---',
  })
  service.remove(['style', 'script', 'title', 'meta', 'head'])
  // Google Docs puts the whole text into a `b` element that is not bold.
  service.addRule('plain', {
    filter: (node) => node.nodeName === 'B' && /font-weight:\s*normal/.test(node.getAttribute('style') ?? ''),
    replacement: (content) => content,
  })
  service.addRule('image', { filter: 'img', replacement: () => '' })
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll('|', String.raw`\|`)
        .replaceAll(/\s*\n\s*/g, ' ')} |`,
  })
  service.addRule('row', { filter: 'tr', replacement: (content) => `|${content}\n` })
  service.addRule('group', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  service.addRule('table', {
    filter: 'table',
    // The first row is the head, because a table in Markdown has one.
    replacement: (_content, node) => `\n\n${toTable(_content, node)}\n\n`,
  })
  return service.turndown(html).trim()
}

function toTable(content: string, node: HTMLElement): string {
  const rows = content.split('\n').filter((line) => line.startsWith('|'))
  const columns = Math.max(
    1,
    ...Array.from(node.querySelectorAll('tr')).map((row) => row.querySelectorAll('th, td').length),
  )
  const [head = '|', ...others] = rows
  return [head, `|${' --- |'.repeat(columns)}`, ...others].join('\n')
}
