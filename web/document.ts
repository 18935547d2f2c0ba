import display600 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2?url'
import display700 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-700-normal.woff2?url'
import { brandColors } from '../contract/shop.ts'
import favicon from '../drawings/favicon.svg'
import stylesheet from './app.css?url'
import { hydrationWatchdog } from './errors/hydration-watchdog.ts'
import type { PublicSettings } from './page-context.ts'
import { element, escaped, jsonFor } from './seo/markup.ts'
import type { PageHead } from './seo/page-head.ts'

/** What a document brings for the scripts, besides what is seen. */
export interface DocumentData {
  /** The names of the page's parts; none if something stands in for it. */
  modules: readonly string[]
  data: unknown
  status: number
  settings: PublicSettings
}

/** The files that bring a page to life, as paths. */
export interface PageFiles {
  entry: string
  /** What the entry and the page need besides. */
  scripts: string[]
  styles: string[]
}

export interface DocumentContent {
  head: PageHead
  /** What only programs read of the page, as markup. */
  structuredData: string
  /** The page as React has rendered it. */
  html: string
  data: DocumentData
  /** Null: the document has no scripts. */
  files: PageFiles | null
}

/** What React asks for early, and writes before everything else. */
const hoisted = /^(?:<link\b[^>]*>)*/

const font = (path: string) =>
  `<link rel="preload" as="font" type="font/woff2" crossorigin href="${escaped(path)}">`
const style = (path: string) => `<link rel="stylesheet" href="${escaped(path)}">`

/**
 * A whole document. First comes what is painted: on a slow line the scripts would take most of it, and the page is whole to the
 * eye without them.
 */
export function renderDocument({ head, structuredData, html, data, files }: DocumentContent): string {
  const [preloads = ''] = hoisted.exec(html) ?? []
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="theme-color" content="${brandColors.ink}">`,
    [stylesheet, ...(files?.styles ?? [])].map(style).join(''),
    preloads,
    font(display600),
    font(display700),
    `<link rel="icon" type="image/svg+xml" href="${favicon}">`,
    `<title>${escaped(head.title)}</title>`,
    ...head.tags.map(({ tag, attributes }) => element(tag, attributes)),
    structuredData,
    files && scripts(files),
    `</head><body><div id="shop">${html.slice(preloads.length)}</div>`,
    files && `<script type="application/json" id="page-data">${jsonFor(data)}</script>`,
    '</body></html>',
  ].join('')
}

const scripts = ({ entry, scripts }: PageFiles) =>
  [
    `<script>${hydrationWatchdog}</script>`,
    ...scripts.map((path) => `<link rel="modulepreload" fetchpriority="low" href="${escaped(path)}">`),
    `<script type="module" fetchpriority="low" src="${escaped(entry)}"></script>`,
  ].join('')
