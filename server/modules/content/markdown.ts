import MarkdownIt from 'markdown-it'
import { isAllowedLink } from '../../../contract/hrefs.ts'
import { isUploadedImage, pictureLinks } from '../../../contract/pictures.ts'
import { escapeHtml } from '../../platform/http/html.ts'

/** Returns the HTML of a text in Markdown. */
export type RenderMarkdown = (body: string) => string

/**
 * Creates the only renderer of documents. HTML in a text is shown as text, so the result needs no sanitizer. It has no inline
 * styles, which the Content-Security-Policy refuses, and no pictures of other hosts.
 *
 * @param picturesUrl the public URL of the bucket with uploaded pictures; null: the shop serves them
 */
export function createMarkdown(picturesUrl: string | null): RenderMarkdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
  markdown.validateLink = isAllowedLink
  const { rules } = markdown.renderer

  markdown.core.ruler.push('headings', ({ tokens }) => {
    // The title of the document is the only `h1`, and its first level of headings is `h2`.
    const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close')
    const first = Math.min(...headings.map(({ tag }) => Number(tag.slice(1))))
    for (const token of headings) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) - first + 2)}`
  })

  // The default rules of cells and code add a style and a class from the text.
  for (const cell of ['th_open', 'td_open'] as const) {
    rules[cell] = (tokens, index) => {
      const token = tokens[index]
      const align = /^text-align:(center|right)$/.exec(`${token?.attrGet('style') ?? ''}`)?.[1]
      return `<${token?.tag}${align ? ` class="${align}"` : ''}>`
    }
  }
  rules.fence = rules.code_block = (tokens, index) =>
    `<pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`

  // A wide table scrolls, with the keyboard too.
  rules.table_open = () => '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>\n'
  rules.table_close = () => '</table></div>\n'

  rules.image = (tokens, index, options, env, renderer) => {
    const token = tokens[index]
    const url = `${token?.attrGet('src') ?? ''}`
    const alt = escapeHtml(renderer.renderInlineAsText(token?.children ?? [], options, env))
    return isUploadedImage(url) ? renderPicture(url, alt, picturesUrl) : alt
  }
  return (body) => markdown.render(body)
}

function renderPicture(url: string, alt: string, picturesUrl: string | null): string {
  const { src, sources } = pictureLinks(url, picturesUrl)
  const size = 'sizes="(min-width: 48rem) 44rem, 100vw"'
  const others = sources.map(
    ({ type, srcSet }) => `<source type="${type}" srcset="${escapeHtml(srcSet)}" ${size}>`,
  )
  const image = `<img src="${escapeHtml(src)}" alt="${alt}" width="400" height="300" loading="lazy" decoding="async">`
  return `<picture>${others.join('')}${image}</picture>`
}
