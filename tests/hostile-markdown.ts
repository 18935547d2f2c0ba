/** Addresses that must not become a link or a picture, as they are or in another spelling. */
const urls = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript%3Aalert(1)',
  '\u0001javascript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'about:blank',
  'ftp://example.com/a',
  '//evil.example/a',
  '/\\evil.example/a',
  '/&#9;/evil.example/a',
  '/&#10;/evil.example/a',
  '\\\\evil.example',
  'https:evil.example',
  'https:///evil.example',
  'evil.html',
  'x" onclick="alert(1)',
  'https://example.com/"onmouseover="alert(1)',
  'https://example.com/"><script>alert(1)</script>',
]
const forms: ((url: string) => string)[] = [
  (url) => `[text](${url})`,
  (url) => `[text](<${url}>)`,
  (url) => `![text](${url})`,
  (url) => `<${url}>`,
  (url) => `[text][1]\n\n[1]: ${url}`,
  (url) => `[text](${url} "title\\" onclick=alert(1)")`,
  (url) => `See ${url} now`,
]

const texts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<style>body{display:none}</style>',
  '<a href="javascript:alert(1)" style="position:fixed">x</a>',
  '<!-- <script> -->',
  '<![CDATA[<script>]]>',
  '<?php echo 1 ?>',
  '</div></article><form action="https://evil.example">',
  '<base href="https://evil.example">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<p style="color:red">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)',
  '```"><script>alert(1)</script>\ncode\n```',
  '``` js onclick=alert(1)\n</code></pre><script>\n```',
  '    </code><script>alert(1)</script>',
  '`<script>`',
  '| a | b |\n| :---: | ---: |\n| <script>alert(1)</script> | <b onclick=x> |',
  '# <img src=x onerror=alert(1)> {#id onclick=alert(1)}',
  '####### seven',
  '![<script>alert(1)</script>](/pictures/uploaded/00000000000000000000000000000000-320.jpeg)',
  '!["onload="alert(1)](/pictures/uploaded/00000000000000000000000000000000-320.jpeg)',
  '![x](https://tracker.example/pixel.png)',
  '![x](/pictures/uploaded/00000000000000000000000000000000-320.jpeg?x="onload="1)',
  '1000000000. <script>',
  '> > > > <script>alert(1)</script>',
  '[a]: https://example.com "</a><script>"\n[a]',
  '<https://example.com/<script>>',
  '**<script>**alert(1)**</script>**',
  '<scr<script>ipt>alert(1)</script>',
  '\u202e<script>',
  'a\\<script>b',
]

/** Texts in Markdown that try to become markup. */
export const payloads: readonly string[] = [
  ...urls.flatMap((url) => forms.map((form) => form(url))),
  ...texts,
]

const link = /^(?:https?:\/\/[^/\\]|mailto:|tel:|#|\/(?![/\\]))/i
const picture = /^\/pictures\/uploaded\/[0-9a-f]{32}-\d+\.jpeg$/
/** Any text. One that ends its attribute or its element is found by `findMarkupFaults`. */
const anyText = /^/

/** The elements of a document with their attributes and the values that these may have. */
const elements: Record<string, Record<string, RegExp>> = {
  ...Object.fromEntries(
    'p h2 h3 h4 h5 h6 ul li strong em s code blockquote hr br table thead tbody tr picture'
      .split(' ')
      .map((name) => [name, {}]),
  ),
  ol: { start: /^\d+$/ },
  a: { href: link, title: anyText },
  pre: { tabindex: /^0$/ },
  div: { class: /^wide$/, role: /^region$/, 'aria-label': /^Table$/, tabindex: /^0$/ },
  th: { class: /^(?:center|right)$/ },
  td: { class: /^(?:center|right)$/ },
  source: { type: /^image\/(?:avif|webp)$/, srcset: /^\/pictures\/uploaded\//, sizes: anyText },
  img: {
    src: picture,
    alt: anyText,
    width: /^400$/,
    height: /^300$/,
    loading: /^lazy$/,
    decoding: /^async$/,
  },
}

/** Returns one message for each part of a document's HTML that no text may cause. */
export function findMarkupFaults(html: string): string[] {
  const faults: string[] = []
  const rest = html.replaceAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"<>]*")*)\s*>/g,
    (tag, _end, name: string, attributes: string) => {
      const allowed = elements[name]
      if (!allowed) faults.push(`the element ${name} in ${tag}`)
      for (const [, attribute = '', value = ''] of attributes.matchAll(/([a-z-]+)="([^"]*)"/g)) {
        const plain = value.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
        if (!allowed?.[attribute]?.test(plain)) faults.push(`${attribute}="${value}" in ${tag}`)
      }
      return ''
    },
  )
  if (/[<>]/.test(rest)) faults.push(`a bare bracket in ${rest.trim().slice(0, 120)}`)
  return faults
}
