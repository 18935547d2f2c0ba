import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Route, routes } from '../contract/routes.ts'
import { project } from './shop-process.ts'

test('deploy/nginx.conf stores the cached calls of the contract and no others', () => {
  const conf = readFileSync(path.join(project, 'deploy/nginx.conf'), 'utf8')
  const notStored = new RegExp(/^ *location ~ (\S+) \{$/m.exec(conf)?.[1] ?? '')
  const calls = Object.values<Route>(routes).filter(({ method }) => method === 'GET')
  const stored = calls.filter((call) => !notStored.test(`/api${call.path.replaceAll(/\{\w+\}/g, '1')}`))
  expect(stored).toEqual(calls.filter(({ cache }) => cache))
})
