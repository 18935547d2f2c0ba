import sharp from 'sharp'
import { defaultFooter } from '../contract/default-settings.ts'
import { anAdmin } from '../tests/factories.ts'
import { type Process, type ShopUnderTest, untilTrue } from '../tests/hardening/shop-under-test.ts'

const name = 'Held Out Motos'
const colors = { accent: '#0a6b52', accentOnDark: '#5fd6b4' }
const visibleWithinMs = 10_000

/** The brand of a shop that is measured. */
export interface Brand {
  /** Saves name, logo, icon, colours and footer, and waits until this page has them. */
  save(path: string): Promise<void>
  /** Restores the defaults, and waits until this page has them. */
  reset(path: string): Promise<void>
}

/** Opens the settings of a shop at the process that is measured. */
export async function openBrand(shop: ShopUnderTest, { call, origin }: Process): Promise<Brand> {
  const as = await anAdmin(shop)
  const logo = await sharp({ create: { width: 640, height: 144, channels: 4, background: '#ffffff' } })
    .png()
    .toBuffer()
  const { image } = (await call('addPicture', { as, body: logo, headers: { 'content-type': 'image/png' } }))
    .body
  const columns = defaultFooter.map(({ title, links }) => ({
    title,
    links: links.map(({ label }) => ({ label, href: '/products' })),
  }))
  const groups = {
    saveShopSettings: ['shop', { name }],
    saveBrandSettings: ['brand', { logo: image, logoOnDark: image, icon: image, ...colors }],
    saveFooterSettings: ['footer', { columns }],
  } as const
  async function set(isSaved: boolean, path: string): Promise<void> {
    for (const [save, [group, body]] of Object.entries(groups)) {
      const { headers } = await call('getSettings', { as, params: { name: group } })
      const sent = { as, headers: { 'if-match': headers.get('etag') ?? '' } }
      const { status } = isSaved
        ? await call(save as keyof typeof groups, { ...sent, body })
        : await call('resetSettings', { ...sent, params: { name: group } })
      if (status !== 200) throw new Error(`the settings ${group} returned ${status}`)
    }
    const isVisible = async () => {
      const page = await (await fetch(origin + path)).text()
      return page.includes(name) === isSaved && page.includes('--color-signal:') === isSaved
    }
    await untilTrue(isVisible, visibleWithinMs, 'showing the settings')
  }
  return { save: (path) => set(true, path), reset: (path) => set(false, path) }
}
