import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { EditedDocument } from '../../contract/documents.ts'
import { emailTextKinds } from '../../contract/email-texts.ts'
import { routes } from '../../contract/routes.ts'
import { type EmailsGroup, type SettingGroup, settingGroups } from '../../contract/settings.ts'
import { findBrowser } from '../../scripts/browser.ts'
import { aBike, aCheckout, anAdmin, someAddress } from '../factories.ts'
import { type MailServer, openMailServer, type ReceivedMail } from '../mail-server.ts'
import { settingsCalls } from '../published-settings.ts'
import { listFaults } from '../xml.ts'
import type { Check, Size } from './check.ts'
import { cleanup } from './cleanup.ts'
import { openBrowser } from './hostile-text/browser.ts'
import { hostileFiles, importHostile } from './hostile-text/files.ts'
import { fillSchema, type NextText, saveHostile } from './hostile-text/fill-schema.ts'
import { type Allowed, allow, findFaults, nothingAllowed, parseMarkup } from './hostile-text/markup.ts'
import { payloads, styles } from './hostile-text/payloads.ts'
import { addDocuments, uploadValid } from './hostile-text/prepare.ts'
import { inLanes } from './parallel.ts'
import { openShopUnderTest, type ShopUnderTest, untilTrue } from './shop-under-test.ts'

interface Volume {
  /** Saves of all settings and documents. In as many rounds as there are texts, each field has each of them. */
  rounds: number
  /** One of this many texts is in a row of each file. */
  rowStep: number
  /** Pages that are parsed after the imports, and pages that are opened in the browser. */
  crawled: number
  visited: number
  orders: number
}
const sizes: Record<Size, Volume> = {
  small: { rounds: 8, rowStep: 10, crawled: 100, visited: 12, orders: 3 },
  full: { rounds: payloads.length, rowStep: 1, crawled: 2_500, visited: 300, orders: 40 },
}
/** The browser opens the pages after one of this many rounds. */
const visitStep = 4
const what = 'hostile texts, of these in each round'

const groups = Object.keys(settingsCalls) as SettingGroup[]

const basePages = [
  '/',
  '/products',
  '/contact-us',
  '/reviews',
  '/blogs',
  '/blogs/texts',
  '/pages/texts',
  '/none',
]

/** All that Markdown can become. */
const richText = `# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n**a** *b* ~~c~~ \`d\`  \ne\n\n- f\n\n3. g\n\n> h\n\n---\n
| a | b | c |\n| --- | :---: | ---: |\n| d | e | f |\n\n[i](/products "j")\n\n\`\`\`\nk\n\`\`\``
const plainTexts = [
  'Plain text',
  'Plain words '.repeat(200),
  'First line\nsecond\n\nthird paragraph',
  'Plain-text-'.repeat(60),
]

/** Enough values of filters, so that lists offer more of them. */
const plainRows = [...plainTexts, ...Array.from({ length: 20 }, (_, index) => `Plain ${index}`)]

/**
 * Texts that try to become markup, links, styles, templates or formulas are saved in every setting and document, and imported
 * in every cell of files. Pages, emails, feed, sitemaps and data for search engines then have no element, attribute, script
 * or style that they do not have with plain texts, and the browser reports no violation of the policy.
 */
export const hostileText: Check = {
  name: 'hostile text',
  isChosenOnly: true,
  async run(size, print) {
    const browserPath = findBrowser()
    if (!browserPath) {
      return { figures: [{ what, measured: 'not checked: no browser found' }], violations: [] }
    }
    const volume = sizes[size]
    const mail = await openMailServer()
    cleanup.add(mail.close)
    const shop = await openShopUnderTest({
      settings: {
        CACHE_SECONDS: '0',
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        MAIL_FROM: 'shop@shop.test',
      },
    })
    const world = await openWorld(shop, mail, browserPath)
    await world.allowPlain()
    const rows = payloads.filter((_, index) => index % volume.rowStep === 0)
    const step = Math.ceil(payloads.length / volume.rounds)
    for (let round = 0; round < volume.rounds; round++) {
      await world.saveAll(round, step)
      await world.checkBase(round % visitStep === 0)
      if (round % 20 === 19) print(`${round + 1} of ${volume.rounds} rounds`)
    }
    await world.importAll(rows, print)
    await world.checkCrawled(volume, print)
    await world.checkFiles()
    await world.checkOrders(rows.slice(0, volume.orders))
    await world.restore()
    const { seen, faults } = world
    return {
      figures: [
        { what: 'texts, rounds of saves', measured: `${payloads.length}, ${volume.rounds}` },
        { what: 'fields that refused their text', measured: `${seen.refused}` },
        { what: 'imported rows', measured: `${seen.rows}` },
        { what: 'pages parsed, opened in the browser', measured: `${seen.parsed}, ${seen.visited}` },
        { what: 'emails parsed', measured: `${seen.emails}` },
      ],
      violations: [...faults],
    }
  },
}

async function openWorld(shop: ShopUnderTest, mail: MailServer, browserPath: string) {
  const [process] = shop.processes
  const { origin, call } = process
  const as = await anAdmin(shop)
  const browser = await openBrowser(browserPath, origin)
  const allowed = { pages: nothingAllowed(), emails: nothingAllowed(), headers: new Set<string>() }
  const seen = { refused: 0, rows: 0, parsed: 0, visited: 0, emails: 0 }
  const faults = new Set<string>()
  const valid = await uploadValid(call, as)
  const stored = await addDocuments(call, as)
  await aBike(shop)
  let isPlain = true
  let shopName = ''

  const note = (result: number | string) => {
    if (typeof result === 'string') faults.add(result)
    else if (!isPlain) seen.refused += result
  }
  const checkHtml = async (place: string, html: string, sets: Allowed) => {
    const markup = await parseMarkup(browser.parser, html)
    if (isPlain) allow(sets, markup)
    for (const fault of findFaults(markup, sets)) faults.add(`${place} ${fault}`)
    return markup
  }
  const checkPage = async (path: string): Promise<string[]> => {
    const response = await fetch(origin + path)
    if (response.status >= 500) faults.add(`${path} returned ${response.status}`)
    const { title, links } = await checkHtml(path, await response.text(), allowed.pages)
    // A browser joins the spaces of a title.
    const shown = shopName.replaceAll(/[\t\n\f\r ]+/g, ' ')
    if (!title.endsWith(shown)) faults.add(`${path} has the title ${title} instead of ${shown}`)
    seen.parsed += 1
    return links
  }
  const checkEmail = async ({ source, text }: ReceivedMail) => {
    const [html = ''] = /<!doctype html>.*<\/html>/s.exec(text) ?? []
    if (html === '') faults.add('an email has no HTML')
    await checkHtml('an email', html, allowed.emails)
    const [head = ''] = source.split('\r\n\r\n')
    for (const name of head.split(/\r\n(?![ \t])/).map((line) => line.replace(/:.*/s, ''))) {
      if (isPlain) allowed.headers.add(name)
      else if (!allowed.headers.has(name)) faults.add(`an email has the header ${name}`)
    }
    seen.emails += 1
  }
  const visit = async (path: string) => {
    for (const fault of await browser.visit(path)) faults.add(`${path} ${fault}`)
    seen.visited += 1
  }

  /** Saves all settings and documents. @param openTexts starts with the same text at each attempt */
  async function save(openTexts: () => NextText, body: string): Promise<EmailsGroup> {
    let emails: EmailsGroup = {}
    for (const name of groups) {
      const { headers } = await call('getSettings', { as, params: { name } })
      const sent = { as, headers: { 'if-match': headers.get('etag') ?? '' } }
      const attempt = async (refused: ReadonlySet<string>) => {
        const value = fillSchema(settingGroups[name], openTexts(), valid, refused)
        const saved = await call(settingsCalls[name], { ...sent, body: value })
        if (saved.status === 200 && name === 'shop') shopName = (saved.body as { name: string }).name
        if (name === 'emails') emails = value
        return saved
      }
      note(await saveHostile(`the settings ${name}`, attempt))
    }
    for (const { id, ...document } of stored) {
      const params = { id }
      const { headers } = await call('getDocument', { as, params })
      let etag = headers.get('etag') ?? ''
      const attempt = async (refused: ReadonlySet<string>) => {
        const text = fillSchema(EditedDocument, openTexts(), valid, refused) as EditedDocument
        const value = { ...text, ...(refused.has('body') ? {} : { body }), ...document }
        const saved = await call('saveDocument', { as, params, headers: { 'if-match': etag }, body: value })
        if (saved.status === 200) etag = saved.headers.get('etag') ?? ''
        return saved
      }
      note(await saveHostile('a document', attempt))
      const published = await call('publishDocument', {
        as,
        params,
        headers: { 'if-match': etag },
        body: {},
      })
      if (published.status !== 200) faults.add(`a document was not published: ${published.body.code}`)
    }
    return emails
  }

  /** Checks emails with these texts, one of which is sent. */
  async function checkEmails(emails: EmailsGroup, sentKind: number): Promise<void> {
    for (const kind of emailTextKinds) {
      const { status, body } = await call('previewEmail', { as, body: { kind, ...emails[kind] } })
      if (status === 200) await checkHtml(`the email ${kind}`, body.html, allowed.emails)
      else faults.add(`the email ${kind} was refused: ${body.code}`)
    }
    const kind = emailTextKinds[sentKind % emailTextKinds.length] ?? emailTextKinds[0]
    await receive(1, async () => {
      const { status, body } = await call('testEmail', { as, body: { kind, ...emails[kind] } })
      if (status !== 200) faults.add(`the email ${kind} was not sent: ${body.code}`)
    })
  }

  /** Waits until the mail server has more emails, and checks them. */
  async function receive(count: number, send: () => Promise<void>): Promise<void> {
    const before = mail.received.length
    await send()
    await untilTrue(async () => mail.received.length >= before + count, 30_000, 'sending the emails')
    for (const email of mail.received.slice(before)) await checkEmail(email)
  }

  const toTexts =
    (toText: (place: number) => string): (() => NextText) =>
    () => {
      let place = 0
      return (maxLength) => toText(place++).slice(0, maxLength)
    }

  async function crawl(maxPages: number): Promise<string[]> {
    const found = [...basePages]
    let read = 0
    while (read < found.length) {
      const batch = found.slice(read, read + 50)
      read += batch.length
      await inLanes(batch, 4, async (path) => {
        for (const link of await checkPage(path)) {
          const isPublic = /^\/(?!dashboard|purchase|login|signup)[^?#]*(\?page=\d+)?$/.test(link)
          if (isPublic && !found.includes(link) && found.length < maxPages) found.push(link)
        }
      })
    }
    return found
  }

  return {
    seen,
    faults,

    /** Finds out what pages and emails have with plain texts. */
    async allowPlain(): Promise<void> {
      shopName = 'Torque Yard'
      for (const path of basePages) await checkPage(path)
      for (const text of plainTexts) {
        const body = `${richText}\n\n![A picture](${valid.picture ?? ''})\n\n${text}`
        const emails = await save(
          toTexts(() => text),
          body,
        )
        await checkEmails(emails, 0)
        for (const path of basePages) await checkPage(path)
      }
      for (const file of hostileFiles) {
        const imported = await importHostile(process, as, file, plainRows)
        if (typeof imported === 'string') faults.add(imported)
      }
      await crawl(Number.POSITIVE_INFINITY)
      await this.checkOrders(['Plain text'])
      isPlain = false
    },

    async saveAll(round: number, step: number): Promise<void> {
      const texts = toTexts((place) => payloads[(round * step + place) % payloads.length] ?? '')
      const ofRound = payloads.slice(round * step, (round + 1) * step)
      const isAccepted = (text: string) => EditedDocument.shape.body.safeParse(text).success
      const body = ofRound.filter(isAccepted).join('\n\n').trim()
      const emails = await save(texts, body || 'Plain text')
      // Another version of the shop may have saved a value that this one refuses.
      const accent = styles[round % styles.length] ?? ''
      await sql`
        update shop_settings set value = value || ${JSON.stringify({ accent })}::jsonb, changed_at = now()
        where name = 'brand'`.execute(shop.db)
      await checkEmails(emails, round)
    },

    async checkBase(isVisited: boolean): Promise<void> {
      for (const path of basePages) await checkPage(path)
      if (isVisited) for (const path of basePages) await visit(path)
    },

    async importAll(texts: string[], print: (progress: string) => void): Promise<void> {
      for (const file of hostileFiles) {
        const imported = await importHostile(process, as, file, texts)
        if (typeof imported === 'string') faults.add(imported)
        else {
          print(`${file.kind}: ${imported.rows} rows, ${imported.refused} cells were refused`)
          seen.rows += imported.rows
          seen.refused += imported.refused
        }
      }
    },

    async checkCrawled({ crawled, visited }: Volume, print: (progress: string) => void): Promise<void> {
      const found = await crawl(crawled)
      print(`parsed ${found.length} pages`)
      const every = Math.max(1, Math.floor(found.length / visited))
      for (const path of found.filter((_, index) => index % every === 0)) await visit(path)
    },

    /** Checks files for search engines, exports for spreadsheets, and where old addresses lead. */
    async checkFiles(): Promise<void> {
      const read = async (path: string) => (await fetch(origin + path)).text()
      for (const fault of await listFaults(await read('/feeds/products.xml'), 'product-feed.xsd'))
        faults.add(`the feed: ${fault}`)
      for (const path of ['/sitemaps/pages.xml', '/sitemaps/products-1.xml', '/sitemaps/bikes-1.xml'])
        for (const fault of await listFaults(await read(path), 'sitemap.xsd')) faults.add(`${path}: ${fault}`)
      for (const name of ['exportProducts', 'exportFitments', 'exportBikes', 'exportPartNumbers'] as const) {
        const { body } = await process.request<string>('GET', `/api${routes[name].path}`, { as })
        const cells: string[] = parse(body).flat()
        const formula = cells.find((cell) => /^[=+\-@\t\r＝＋－＠]/.test(cell))
        if (formula !== undefined) faults.add(`${name} has the formula ${formula}`)
      }
      const redirects = await shop.db.selectFrom('redirects').select('path').execute()
      await inLanes(redirects, 4, async ({ path }) => {
        const { headers, status } = await fetch(origin + encodeURI(path), { redirect: 'manual' })
        const location = headers.get('location') ?? '/'
        if (status >= 500 || !/^\/(?![/\\])/.test(location))
          faults.add(`${path} led to ${status} ${location}`)
      })
    },

    /** Guests with these texts as their name and address order products of the files. */
    async checkOrders(texts: string[]): Promise<void> {
      const variants = await shop.db
        .selectFrom('variants')
        .select('id')
        .where('sku', 'like', 'H-%')
        .orderBy('id')
        .limit(texts.length)
        .execute()
      await receive(variants.length, async () => {
        for (const [index, { id: variantId }] of variants.entries()) {
          const text = (texts[index] ?? '').slice(0, 60)
          const attempt = (refused: ReadonlySet<string>) => {
            const typed = (['name', 'line1', 'city'] as const).filter(
              (field) => !refused.has(`address.${field}`),
            )
            const address = { ...someAddress, ...Object.fromEntries(typed.map((field) => [field, text])) }
            const lines = [{ variantId, quantity: 1, unitPrice: 40 }]
            const email = `guest-${randomUUID()}@example.com`
            return call('checkOut', {
              headers: { 'idempotency-key': randomUUID() },
              body: aCheckout(lines, { email, asGuest: true, address }),
            })
          }
          note(await saveHostile('an order', attempt))
        }
      })
    },

    /** Saves plain texts, so that the stored values are valid. */
    async restore(): Promise<void> {
      isPlain = true
      await save(
        toTexts(() => 'Plain text'),
        richText,
      )
    },
  }
}
