import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { emailImageSize, shareImageSize } from '../../../contract/pictures.ts'
import { ShopError } from '../../platform/errors.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { countRefused } from '../../platform/telemetry/metrics.ts'
import { loadSharp } from './load-sharp.ts'

const folder = new URL('../../../drawings/', import.meta.url)

/** The address of a drawing in a product's tint. */
export const drawingUrl = (drawing: string, tint: string): string =>
  `/pictures/${drawing}/${tint.toLowerCase()}.svg`

/** Used if the address has no tint. */
const defaultTint = '85888f'

const drawings = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.svg'))
    .map((file) => [file.slice(0, -'.svg'.length), readFileSync(new URL(file, folder), 'utf8')]),
)

/** Encodes one PNG at a time. */
export const limitPngs = createLimiter({
  concurrency: 1,
  maxQueued: 16,
  onOverflow() {
    countRefused('pictures')
    return new ShopError('UNAVAILABLE')
  },
})

/**
 * Serves the shop's own drawings: `/pictures/<drawing>.svg` as drawn, `/pictures/<drawing>/<rrggbb>.svg` in a tint, with a
 * darker and a lighter tone of it. With `.png` they are share images, and with `.email.png` pictures of emails: social
 * networks, merchant centers and mail programs accept no SVG.
 */
export function registerPictures(app: FastifyInstance): void {
  const format = ':format(^(?:svg|png|email\\.png)$)'
  for (const url of [`/pictures/:name.${format}`, `/pictures/:name/:tint(^[0-9a-f]{6}).${format}`]) {
    app.get<{ Params: { name: string; tint?: string; format: keyof typeof pngSizes | 'svg' } }>(
      url,
      async ({ params: { name, tint, format } }, reply) => {
        const drawing = drawings.get(name)
        if (drawing === undefined) throw new ShopError('NOT_FOUND')
        const svg = paint(drawing, tint)
        return reply
          .headers({
            'Content-Type': format === 'svg' ? 'image/svg+xml' : 'image/png',
            'Cache-Control': 'public, max-age=86400',
            // Web mail shows the pictures of emails on pages of other origins.
            'Cross-Origin-Resource-Policy': 'cross-origin',
            // A drawing that is opened as a document must not run or load anything.
            'Content-Security-Policy': "default-src 'none'",
          })
          .send(format === 'svg' ? svg : await limitPngs(() => renderPng(svg, pngSizes[format])))
      },
    )
  }
}

const pngSizes = { png: shareImageSize, 'email.png': emailImageSize }

async function renderPng(drawing: string, size: { width: number; height: number }): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(drawing))
    .resize({ ...size, fit: 'contain', background: '#fff' })
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
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
