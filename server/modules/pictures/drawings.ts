import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { ShopError } from '../../platform/errors.ts'

const folder = new URL('../../../drawings/', import.meta.url)

/** The address of a kind's drawing in a product's tint. */
export const drawingUrl = (kind: string, tint: string): string =>
  `/pictures/${kind}/${tint.toLowerCase()}.svg`

/** Used if the address has no tint. */
const defaultTint = '85888f'

const drawings = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.svg'))
    .map((file) => [file.slice(0, -'.svg'.length), readFileSync(new URL(file, folder), 'utf8')]),
)

/** The SVG at the address of one of the shop's own drawings; null if there is none. */
export function findDrawing(url: string): string | null {
  const [, kind = '', tint] = /^\/pictures\/([^/]+?)(?:\/([0-9a-f]{6}))?\.svg$/.exec(url) ?? []
  const drawing = drawings.get(kind)
  if (drawing === undefined) return null
  return paint(drawing, tint)
}

/**
 * Serves the shop's own drawings: `/pictures/<kind>.svg` as drawn, `/pictures/<kind>/<rrggbb>.svg` in a tint, with a
 * darker and a lighter tone of it.
 */
export function registerPictures(app: FastifyInstance): void {
  for (const url of ['/pictures/:kind.svg', '/pictures/:kind/:tint(^[0-9a-f]{6}).svg']) {
    app.get(url, (request, reply) => {
      const drawing = findDrawing(request.url.split('?')[0] ?? '')
      if (drawing === null) throw new ShopError('NOT_FOUND')
      return reply.headers(pictureHeaders).send(drawing)
    })
  }
}

export const pictureHeaders = {
  'Content-Type': 'image/svg+xml',
  'Cache-Control': 'public, max-age=86400',
  // Opened by itself, a drawing may do nothing but be looked at.
  'Content-Security-Policy': "default-src 'none'",
}

function paint(drawing: string, tint = defaultTint): string {
  return drawing
    .replaceAll('{{tint}}', `#${tint}`)
    .replaceAll('{{tint-dark}}', mix(tint, 0x00, 0.35))
    .replaceAll('{{tint-light}}', mix(tint, 0xff, 0.45))
}

/** A colour part of the way to black or white. */
function mix(tint: string, towards: number, part: number): string {
  const channels = [0, 2, 4].map((at) => {
    const value = Number.parseInt(tint.slice(at, at + 2), 16)
    return Math.round(value + (towards - value) * part)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}
