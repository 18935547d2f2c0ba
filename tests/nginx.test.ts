import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Route, routes } from '../contract/routes.ts'
import { project } from './shop-process.ts'

const conf = readFileSync(path.join(project, 'deploy/nginx.conf'), 'utf8')
/** The patterns of `location ~`, in their order. */
const [uploads = /^/, notStored = /^/] = [...conf.matchAll(/^ *location ~ (\S+) \{$/gm)].map(
  ([, pattern = '']) => new RegExp(pattern),
)

test('deploy/nginx.conf stores the cached calls of the contract and no others', () => {
  const calls = Object.values<Route>(routes).filter(({ method }) => method === 'GET')
  const stored = calls.filter((call) => !notStored.test(`/api${call.path.replaceAll(/\{\w+\}/g, '1')}`))
  expect(stored).toEqual(calls.filter(({ cache }) => cache))
})

test('deploy/nginx.conf passes on only uploads before they have arrived', () => {
  const paths = Object.values<Route>(routes).map((call) => [`/api${call.path}`, call.upload !== undefined])
  expect(paths.filter(([path]) => uploads.test(String(path)))).toEqual(
    paths.filter(([, isUpload]) => isUpload),
  )
})
