import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { nonceContext, reportContext, settingsContext, shopContext } from './context.ts'
import { documentHead } from './found/head.ts'
import { Nonce } from './shell/nonce.ts'

export { nonceContext, reportContext, settingsContext, shopContext } from './context.ts'

/** Milliseconds after which a page that still waits for something is given up. */
export const streamTimeout = 10_000

/** Renders a whole document: nothing is streamed, so that it can be hashed, tagged and compressed. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext)
  const document = (
    <Nonce value={nonce}>
      <ServerRouter context={router} url={request.url} nonce={nonce} />
    </Nonce>
  )
  const [html, head] = await Promise.all([
    renderWhole(document, nonce),
    documentHead(router, context.get(settingsContext), context.get(shopContext)),
  ])
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(
    scriptsLast(html).replace('</head>', () => `${head}</head>`),
    { status, headers },
  )
}

/**
 * On a slow line the scripts would take most of it, and the page is whole to the eye without them: the browser shall fetch
 * what it paints first. React Router has no word for it. No text of the page can hold such an element: its `<` is escaped.
 */
const scriptsLast = (html: string) =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')

function renderWhole(document: React.ReactNode, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(document, {
      nonce,
      onAllReady() {
        clearTimeout(timer)
        text(pipe(new PassThrough())).then(resolve, reject)
      },
      onShellError: reject,
      onError: reject,
    })
    const timer = setTimeout(() => abort(new Error('The page took too long to render.')), streamTimeout)
  })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (!request.signal.aborted) context.get(reportContext)(error)
}
