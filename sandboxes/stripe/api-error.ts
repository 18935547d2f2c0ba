/** The inside of Stripe's `{ error: … }`. */
export interface ApiErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: object
}

type Details = Omit<ApiErrorBody, 'type' | 'message'>

/** Thrown where a request is refused and nothing has changed; the API answers it in Stripe's shape. */
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

/** @param kind Stripe's word for the thing, as its messages spell it */
export function missing(kind: string, id: string, param = 'id'): ApiError {
  const message = `No such ${kind}: '${id}'`
  return new ApiError(404, { type: 'invalid_request_error', code: 'resource_missing', message, param })
}

/** The card's owner can fix it: a wrong number, a date in the past. */
export function cardRefused(code: string, message: string, details: Details = {}): ApiError {
  return new ApiError(402, { type: 'card_error', code, message, ...details })
}
