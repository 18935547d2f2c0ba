import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen, stop } from '../../../tests/listen.ts'
import { fetchIdToken, signIn } from './provider.ts'

const rider = { email: 'rider@example.com', password: 'secret-1' }

/** Sends the requests of the provider module to a server, as a page on its origin does. */
async function serve(answer: RequestListener): Promise<void> {
  const server = createServer(answer)
  const port = await listen(server)
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init))
  onTestFinished(() => {
    vi.unstubAllGlobals()
    return stop(server)
  })
}

test('an unreachable server is an error, not a sign-out', async () => {
  await serve((request) => request.destroy())
  await expect(signIn(rider)).rejects.toMatchObject({ code: 'NO_ANSWER' })
  await expect(fetchIdToken()).rejects.toMatchObject({ code: 'NO_ANSWER' })
})

test('each error has its code, and only a 401 for the ID token means that no one is signed in', async () => {
  let status = 401
  let body = { code: 'WRONG_PASSWORD', message: 'Wrong Password' }
  await serve((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  )
  await expect(signIn(rider)).rejects.toMatchObject(body)
  expect(await fetchIdToken()).toBeNull()
  status = 503
  body = { code: 'UNAVAILABLE', message: 'Please try again.' }
  await expect(fetchIdToken()).rejects.toMatchObject(body)
})
