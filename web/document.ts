import display600 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2?url'
import display700 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-700-normal.woff2?url'
import { mix } from '../contract/contrast.ts'
import { iconUrl } from '../contract/pictures.ts'
import type { ShopDetails } from '../contract/settings.ts'
import { brandColors } from '../contract/shop.ts'
import favicon from '../drawings/favicon.svg'
import plainIcon from '../drawings/favicon-plain.svg'
import stylesheet from './app.css?url'
import { hydrationWatchdog } from './errors/hydration-watchdog.ts'
import type { PageSettings } from './page-context.ts'
import { escaped, jsonFor } from './seo/markup.ts'
import { unpaidOrdersMark } from './unpaid-orders.ts'

/** The data that a document passes to the client application, as JSON. */
export interface DocumentData {
  /** The names of the route modules; empty for an error page. */
  modules: readonly string[]
  params: Record<string, string>
  data: unknown
  status: number
  settings: PageSettings
}

/** Paths of the files that a page needs in the browser. */
export interface PageFiles {
  entry: string
  /** Modules to preload: the page's own and their imports. */
  scripts: string[]
  styles: string[]
}

interface DocumentContent {
  /** Open Graph tags and JSON-LD, as markup. */
  structuredData: string
  /** The output of React. */
  html: string
  data: DocumentData
  /** Null for a document without scripts. */
  files: PageFiles | null
  /** The uploaded picture of the icon; null: the drawing of the shop. */
  icon: string | null
  /** The content of an inline style element; empty if there is none. The Content-Security-Policy must allow its hash. */
  style: string
}

/** React writes the tags of the head before the markup: title, metadata and preload links. */
const hoisted = /^(?:<(?:link|meta)\b[^>]*>|<title>[^<]*<\/title>)*/

/**
 * Renders a whole document. Styles and fonts come before scripts: on a slow connection scripts would delay the first
 * paint, which does not need them.
 */
export function renderDocument({ structuredData, html, data, files, icon, style }: DocumentContent): string {
  const [tags = ''] = hoisted.exec(html) ?? []
  return [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="theme-color" content="${brandColors.ink}">`,
    ...[stylesheet, ...(files?.styles ?? [])].map(
      (path) => `<link rel="stylesheet" href="${escaped(path)}">`,
    ),
    style && `<style>${style}</style>`,
    tags,
    ...[display600, display700].map(
      (path) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${path}">`,
    ),
    iconLinks(icon, data.settings.shop.isUnnamed),
    structuredData,
    files && scripts(files),
    `</head><body><div id="shop">${html.slice(tags.length)}</div>`,
    files && `<script type="application/json" id="page-data">${jsonFor(data)}</script>`,
    '</body></html>',
  ].join('')
}

/** Safari before 26 shows no SVG as an icon, so the uploaded one is a PNG. */
function iconLinks(icon: string | null, isUnnamed: boolean): string {
  const small = icon && iconUrl(icon, 32)
  if (!icon || !small)
    return `<link rel="icon" type="image/svg+xml" href="${isUnnamed ? favicon : plainIcon}">`
  return `<link rel="icon" type="image/png" sizes="32x32" href="${small}"><link rel="apple-touch-icon" href="${iconUrl(icon, 180)}">`
}

/** Returns the style that sets the colours of the brand; empty if there are none. */
export function renderColors({ accent, accentOnDark }: Pick<ShopDetails, 'accent' | 'accentOnDark'>): string {
  const colors = {
    // Parsed and formatted again, so that the text of a setting is never part of the style.
    signal: accent && mix(accent, 0, 0),
    'signal-deep': accent && mix(accent, 0, 0.2),
    'signal-bright': accentOnDark && mix(accentOnDark, 0, 0),
  }
  const rules = Object.entries(colors).flatMap(([name, color]) => (color ? [`--color-${name}:${color}`] : []))
  return rules.length > 0 ? `:root{${rules.join(';')}}` : ''
}

/** Runs before the first paint and all other scripts. The Content-Security-Policy must allow its hash. */
export const inlineScript = `${hydrationWatchdog};${unpaidOrdersMark}`

const scripts = ({ entry, scripts }: PageFiles) =>
  [
    `<script>${inlineScript}</script>`,
    ...scripts.map((path) => `<link rel="modulepreload" fetchpriority="low" href="${escaped(path)}">`),
    `<script type="module" fetchpriority="low" src="${escaped(entry)}"></script>`,
  ].join('')
