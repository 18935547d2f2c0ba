import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { maxPictureBytes } from '../../../contract/picture-uploads.ts'
import { unzipPictures } from './unzip.ts'

async function list(zip: Uint8Array<ArrayBuffer>) {
  const found: [string, number][] = []
  for await (const { path, content } of unzipPictures(new Blob([zip]))) found.push([path, content.size])
  return found
}

test('returns the pictures of a zip file with their paths, stored or compressed', async () => {
  const zip = zipSync({
    'a/pads.JPG': new Uint8Array(300_000).fill(1),
    'b/pads.png': [new Uint8Array(5).fill(2), { level: 0 }],
    'notes.txt': new Uint8Array(200_000),
    '__MACOSX/a/._pads.jpg': new Uint8Array(10),
    'c/too-large.webp': new Uint8Array(maxPictureBytes + 1),
    'last.avif': new Uint8Array(),
  })
  expect(await list(zip)).toEqual([
    ['a/pads.JPG', 300_000],
    ['b/pads.png', 5],
    ['last.avif', 0],
  ])
})

test('fails for a damaged file', async () => {
  const zip = zipSync({ 'a.jpg': [new Uint8Array(1000).map((_, index) => index * 7), { level: 0 }] })
  await expect(list(zip.slice(0, 500))).rejects.toThrow('invalid zip data')
})
