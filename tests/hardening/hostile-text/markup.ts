import type { Page } from '@playwright/test'
import { findJsonLdErrors } from '../../schema-org.ts'

/** A document as a browser parses it. */
interface Markup {
  title: string
  /** Elements such as `a`, and attributes such as `a[href]`; of `style` with its value. */
  parts: string[]
  /** Values of attributes that a browser loads, opens or submits to. */
  urls: [attribute: string, url: string][]
  /** Paths of links within the shop. */
  links: string[]
  /** Inline scripts, and data for scripts by their type. */
  scripts: [type: string, text: string][]
  styles: string[]
}

/** Parses HTML with the parser of the browser, which runs and loads nothing. */
export const parseMarkup = (browserPage: Page, html: string): Promise<Markup> =>
  browserPage.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, 'text/html')
    const loaded = /^(?:href|src|action|formaction|data|poster|background|cite|ping|manifest|xlink:href)$/
    const parts = new Set<string>()
    const urls: [string, string][] = []
    for (const element of document.querySelectorAll('*')) {
      const name = element.localName
      parts.add(name)
      for (const { name: attribute, value } of element.attributes) {
        parts.add(attribute === 'style' ? `${name}[style="${value}"]` : `${name}[${attribute}]`)
        const place = `${name}[${attribute}]`
        if (loaded.test(attribute)) urls.push([place, value])
        else if (attribute.endsWith('srcset')) {
          for (const source of value.split(',')) urls.push([place, source.trim().split(' ')[0] ?? ''])
        }
      }
    }
    const inline = [...document.querySelectorAll('script:not([src])')]
    return {
      title: document.title,
      parts: [...parts],
      urls,
      links: [...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href') ?? ''),
      scripts: inline.map((script): [string, string] => [
        script.getAttribute('type') ?? '',
        script.textContent ?? '',
      ]),
      styles: [...document.querySelectorAll('style')].map((style) => style.textContent ?? ''),
    }
  }, html)

/** The elements, attributes, scripts and styles of documents with plain texts. */
export interface Allowed {
  parts: Set<string>
  scripts: Set<string>
  styles: Set<string>
}

const isData = (type: string) => type === 'application/json' || type === 'application/ld+json'
/** Colours are the only part of a style that depends on a setting. */
const withoutColors = (style: string) => style.replaceAll(/#[0-9a-f]{6}\b/g, '#')
/** The style of a page, which has the colours of the brand that are saved. */
const pageStyle = /^:root\{--color-[a-z-]+:#(?:;--color-[a-z-]+:#)*\}$/

/** Adds the parts of a document with plain texts. */
export function allow(allowed: Allowed, { parts, scripts, styles }: Markup): void {
  for (const part of parts) allowed.parts.add(withoutColors(part))
  for (const [type, text] of scripts) if (!isData(type)) allowed.scripts.add(text)
  for (const style of styles) allowed.styles.add(withoutColors(style))
}

const allowedUrl = /^(?:https?:\/\/[^/\\]|mailto:|tel:|#|\?|\/(?![/\\])|$)/i

/** Returns a message for each part of a document that no text may cause. */
export function findFaults({ parts, urls, scripts, styles }: Markup, allowed: Allowed): string[] {
  const faults = parts.filter((part) => !allowed.parts.has(withoutColors(part))).map((part) => `has ${part}`)
  for (const [place, url] of urls) {
    if (!allowedUrl.test(url) || /[\p{Cc}\s]/u.test(url))
      faults.push(`has ${place} with ${JSON.stringify(url)}`)
  }
  for (const [type, text] of scripts) {
    if (!isData(type)) {
      if (!allowed.scripts.has(text)) faults.push(`has a script: ${text.slice(0, 80)}`)
      continue
    }
    try {
      const data: unknown = JSON.parse(text)
      if (type === 'application/ld+json')
        faults.push(...findJsonLdErrors(data).map((error) => `has ${error}`))
    } catch {
      faults.push(`has data that are not JSON: ${text.slice(0, 80)}`)
    }
  }
  for (const style of styles) {
    const kind = withoutColors(style)
    if (!pageStyle.test(kind) && !allowed.styles.has(kind)) faults.push(`has a style: ${style.slice(0, 80)}`)
  }
  return faults
}

/** Sets of a shop without documents. */
export const nothingAllowed = (): Allowed => ({ parts: new Set(), scripts: new Set(), styles: new Set() })
