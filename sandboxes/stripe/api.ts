import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LOCK_NOT_AVAILABLE } from '../../server/platform/database/database.ts'
import { isDatabaseUnavailable, logUnavailable } from '../../server/platform/errors.ts'
import { isSameSignature } from '../../server/platform/secrets/secrets.ts'
import { ApiError } from './api-error.ts'
import type { Call, Caller } from './call.ts'
import { type RepeatableResponse, respondOnce } from './idempotency.ts'
import { newId } from './ids.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { refuseNul, refuseUnknown } from './params.ts'
import type { PaymentSandbox } from './sandbox.ts'

const MAX_BODY_BYTES = 32 * 1024

/**
 * Stripe's API over form-encoded bodies, in Stripe's error shapes.
 * @param callers the accepted kinds of keys; the shop's public URL accepts only the publishable key
 */
export function sandboxApi(app: FastifyInstance, sandbox: PaymentSandbox, callers: readonly Caller[]): void {
  app.removeAllContentTypeParsers()
  const form = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const
  app.addContentTypeParser('application/x-www-form-urlencoded', form, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('request-id', newId('req'))
  })
  app.setErrorHandler((error: FastifyError | ApiError, _request, reply) => sendError(sandbox, error, reply))
  app.setNotFoundHandler((request, reply) => sendError(sandbox, unknownUrl(request), reply))
  for (const operation of OPERATIONS) {
    app.route<{ Params: { id?: string } }>({
      method: operation.method,
      url: operation.path,
      // The request log would show client secrets, which Stripe.js puts into the query.
      logLevel: 'warn',
      handler: (request, reply) => handle(sandbox, callers, operation, request, reply),
    })
  }
}

async function handle(
  sandbox: PaymentSandbox,
  callers: readonly Caller[],
  operation: Operation,
  request: FastifyRequest<{ Params: { id?: string } }>,
  reply: FastifyReply,
): Promise<object> {
  const query = new URL(request.url, 'http://sandbox').searchParams
  const body = typeof request.body === 'string' ? request.body : ''
  const params = operation.method === 'GET' ? query : new URLSearchParams(body)
  const caller = requireCaller(sandbox, callers, request, params)
  if (!operation.callers.includes(caller)) throw secretKeyRequired()
  params.delete('key')
  refuseUnknown(params, operation.params)
  refuseNul(params, request.params.id ?? '')
  const call = {
    caller,
    id: request.params.id ?? '',
    params,
    requestId: String(reply.getHeader('request-id')),
    idempotencyKey: readHeader(request, 'idempotency-key'),
  }
  const response = await runOperation(sandbox, operation, call, `${operation.method} ${request.url} ${body}`)
  if (call.idempotencyKey) reply.header('idempotency-key', call.idempotencyKey)
  if (response.replayed) reply.header('idempotent-replayed', 'true')
  reply.status(response.status).type('application/json').header('cache-control', 'no-store')
  return response.body
}

async function runOperation(
  sandbox: PaymentSandbox,
  operation: Operation,
  call: Omit<Call, 'db'>,
  request: string,
): Promise<RepeatableResponse> {
  if (operation.method === 'GET') {
    return { ...(await operation.run({ ...call, db: sandbox.db })), replayed: false }
  }
  const response = await respondOnce(sandbox.db, call, request, operation.run)
  sandbox.webhookSender?.wake()
  return response
}

/** Reads the key from the bearer token, or from the parameter `key`, which Stripe.js uses. */
function requireCaller(
  sandbox: PaymentSandbox,
  callers: readonly Caller[],
  request: FastifyRequest,
  params: URLSearchParams,
): Caller {
  const bearer = readHeader(request, 'authorization')?.replace(/^Bearer /i, '')
  const key = bearer ?? params.get('key')
  if (!key) throw unauthorized('You did not provide an API key.')
  const caller = callers.find((candidate) => isSameSignature(key, sandbox.keys[candidate]))
  if (caller) return caller
  throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}`)
}

function readHeader(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}

function unauthorized(message: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', message })
}

function secretKeyRequired(): ApiError {
  const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
  return new ApiError(401, { type: 'invalid_request_error', code: 'secret_key_required', message })
}

function unknownUrl(request: FastifyRequest): ApiError {
  const message = `Unrecognized request URL (${request.method}: ${new URL(request.url, 'http://sandbox').pathname}).`
  return new ApiError(404, { type: 'invalid_request_error', message })
}

function sendError(sandbox: PaymentSandbox, error: FastifyError | ApiError, reply: FastifyReply): void {
  const { status, body } = toApiError(sandbox, error)
  if (body.code === 'lock_timeout') reply.header('stripe-should-retry', 'true')
  reply.status(status).type('application/json').header('cache-control', 'no-store').send({ error: body })
}

function toApiError(sandbox: PaymentSandbox, error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === LOCK_NOT_AVAILABLE) return lockTimeout()
  if (error.statusCode && error.statusCode < 500) {
    return new ApiError(error.statusCode, { type: 'invalid_request_error', message: error.message })
  }
  if (isDatabaseUnavailable(error)) logUnavailable(sandbox.log, error)
  else sandbox.log.error({ err: error }, 'payment sandbox failed')
  return new ApiError(500, { type: 'api_error', message: 'An unknown error occurred' })
}

function lockTimeout(): ApiError {
  const message =
    'This object cannot be accessed right now because another API request is currently accessing it. If you see this error intermittently, retry the request.'
  return new ApiError(429, { type: 'invalid_request_error', code: 'lock_timeout', message })
}
