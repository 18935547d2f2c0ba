import { type RouteName, routes } from '../contract/routes.ts'
import { buildUrl, noAnswer, type Reply, sendAsMe } from './api.ts'

export interface UploadOptions {
  query?: Record<string, string>
  /** Called with the sent share of the file, from 0 to 1. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/**
 * Uploads a file with XMLHttpRequest, because `fetch` has no upload progress.
 * Throws ApiError, or the signal's reason if it is aborted.
 */
export async function upload<Name extends RouteName>(
  name: Name,
  file: Blob,
  { query = {}, onProgress, signal }: UploadOptions,
): Promise<Reply<Name>> {
  const response = await sendAsMe(name, (token) => {
    signal.throwIfAborted()
    return new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(routes[name].method, buildUrl(name, { query }))
      request.setRequestHeader('accept', 'application/json')
      request.setRequestHeader('content-type', file.type || 'application/octet-stream')
      if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
      request.responseType = 'blob'
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
      request.addEventListener('load', () =>
        resolve(new Response(request.response, { status: request.status })),
      )
      request.addEventListener('error', () => reject(noAnswer()))
      const giveUp = () => {
        request.abort()
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp)
      request.addEventListener('loadend', () => signal.removeEventListener('abort', giveUp))
      request.send(file)
    })
  })
  return (await response.json()) as Reply<Name>
}
