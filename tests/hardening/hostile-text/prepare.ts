import sharp from 'sharp'
import type { Caller } from '../../call.ts'
import type { TestCustomer } from '../../factories.ts'
import type { ValidValues } from './fill-schema.ts'

const documents = [
  { kind: 'page', slug: 'texts', legalKind: 'imprint' },
  { kind: 'post', slug: 'texts', legalKind: undefined },
] as const

type Call = Caller['call']

/** Uploads a picture. Returns a value for each field that is more than a text. */
export async function uploadValid(call: Call, as: TestCustomer): Promise<ValidValues> {
  const png = await sharp({ create: { width: 320, height: 80, channels: 4, background: '#0a7a5c' } })
    .png()
    .toBuffer()
  const { body } = await call('addPicture', { as, body: png, headers: { 'content-type': 'image/png' } })
  const { image } = body
  return {
    ...Object.fromEntries(
      ['logo', 'logoOnDark', 'icon', 'shareImage', 'picture', 'image'].map((name) => [name, image]),
    ),
    accent: '#ca3200',
    accentOnDark: '#ffffff',
    email: 'shop@example.com',
    opens: '09:00',
    closes: '18:00',
    social: 'https://social.example/shop',
    href: '/products',
    subject: 'Plain text',
  }
}

/** Adds a legal page and a post. */
export async function addDocuments(call: Call, as: TestCustomer) {
  const text = { title: 'Plain', summary: '', category: '', image: '', body: 'Plain text' }
  return Promise.all(
    documents.map(async ({ kind, slug, legalKind }) => {
      const { body } = await call('addDocument', { as, body: { kind, slug, legalKind, ...text } })
      return { id: body.id, slug, legalKind }
    }),
  )
}
