import { expect, test } from 'vitest'
import { pictureLinks, uploadedImageUrl } from './pictures.ts'

const hash = '0123456789abcdef0123456789abcdef'
const image = uploadedImageUrl(hash, 640)

test('an uploaded picture has its widths in each format', () => {
  expect(pictureLinks(image, null)).toEqual({
    src: `/pictures/uploaded/${hash}-640.jpeg`,
    sources: [
      {
        type: 'image/avif',
        srcSet: `/pictures/uploaded/${hash}-320.avif 320w, /pictures/uploaded/${hash}-640.avif 640w`,
      },
      {
        type: 'image/webp',
        srcSet: `/pictures/uploaded/${hash}-320.webp 320w, /pictures/uploaded/${hash}-640.webp 640w`,
      },
    ],
  })
})

test('in a public bucket it is linked by the names of its objects', () => {
  const { src, sources } = pictureLinks(image, 'https://cdn.example.com/shop')
  expect(src).toBe(`https://cdn.example.com/shop/pictures/${hash}-640.jpeg`)
  expect(sources[1]?.srcSet.split(', ')[0]).toBe(
    `https://cdn.example.com/shop/pictures/${hash}-320.webp 320w`,
  )
})

test.each(['/pictures/chain.svg', 'https://x.example/y.png', ''])('%s is linked as it is', (other) => {
  expect(pictureLinks(other, 'https://cdn.example.com')).toEqual({ src: other, sources: [] })
})
