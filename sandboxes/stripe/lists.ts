import { invalidRequest } from './api-error.ts'
import { type Call, ok, type Reply } from './call.ts'
import { requireInteger } from './params.ts'
import { presentList } from './present.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100

/** @param read returns up to `limit` objects, newest first */
export async function toList(
  call: Call,
  url: string,
  read: (limit: number) => Promise<object[]>,
): Promise<Reply> {
  const limit = readLimit(call)
  // One extra row shows whether there is a next page.
  return ok(presentList(url, await read(limit + 1), limit))
}

function readLimit(call: Call): number {
  if (!call.params.has('limit')) return DEFAULT_LIMIT
  const limit = requireInteger(call.params, 'limit')
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw invalidRequest(`This value must be between 1 and ${MAX_LIMIT} (it currently is '${limit}').`, {
    param: 'limit',
  })
}
