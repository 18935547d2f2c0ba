/** The value of `error` in Stripe's error responses. */
interface ApiErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: object
}

type Details = Omit<ApiErrorBody, 'type' | 'message'>

/** Rejects a request that changed nothing. The API sends it in Stripe's error shape. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ApiErrorBody

  constructor(status: number, body: ApiErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export function invalidRequest(message: string, details: Details = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...details })
}

/** @param kind Stripe's name of the object type, as in its messages */
export function missing(kind: string, id: string, param = 'id'): ApiError {
  const message = `No such ${kind}: '${id}'`
  return new ApiError(404, { type: 'invalid_request_error', code: 'resource_missing', message, param })
}

/** An error that the cardholder can fix, such as a wrong number or an expired date. */
export function cardRefused(code: string, message: string, details: Details = {}): ApiError {
  return new ApiError(402, { type: 'card_error', code, message, ...details })
}
