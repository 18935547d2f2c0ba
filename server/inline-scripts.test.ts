import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { allowMarkedScripts } from './inline-scripts.ts'

const hashOf = (script: string) => `sha256-${createHash('sha256').update(script).digest('base64')}`

test('a script with the mark is allowed by its hash, and the mark is gone', () => {
  const { html, hashes } = allowMarkedScripts('<script nonce="n1">start()</script>', 'n1')
  expect(html).toBe('<script>start()</script>')
  expect(hashes).toEqual([hashOf('start()')])
})

test('a script that was smuggled into the page is not allowed', () => {
  const smuggled = '<script>steal()</script><script nonce="guessed">steal()</script>'
  expect(allowMarkedScripts(smuggled, 'n1').hashes).toEqual([])
})

test('the mark on a script that was smuggled into the text of another changes nothing', () => {
  const { hashes } = allowMarkedScripts('<script nonce="n1">"\\u003cscript nonce=\\"n1\\">"</script>', 'n1')
  expect(hashes).toHaveLength(1)
})

test('one document gives the same result whatever its nonce was, so that it can be cached', () => {
  const page = (nonce: string) =>
    allowMarkedScripts(`<p>hello</p><script nonce="${nonce}" type="module">run()</script>`, nonce)
  expect(page('one')).toEqual(page('two'))
})
