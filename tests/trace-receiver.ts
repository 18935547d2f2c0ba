import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { listen, stop } from './listen.ts'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Record<string, unknown>
  /** Whether its work has failed. */
  isError: boolean
  /** Texts besides the attributes, which a span should not have. */
  others: unknown[]
}

/** A receiver of OTLP over HTTP, in place of a collector. */
export interface TraceReceiver {
  spans: ReceivedSpan[]
  /** Returns all requests as text, with the attributes of the process. */
  text(): string
  /** Settings with which a shop sends its spans here, soon after their end. */
  settings: Record<string, string>
  /** Waits for a span with this name. */
  first(name: string): Promise<ReceivedSpan>
  close(): Promise<void>
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes'> {
  attributes: Attribute[]
  status: { code?: number; message?: string }
  events: unknown[]
  links: unknown[]
}

interface OtlpBody {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
}

export async function openTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  let received = ''
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    received += body
    const { resourceSpans } = JSON.parse(body) as OtlpBody
    spans.push(
      ...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans.map(toSpan))),
    )
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void receive(request, response))
  const port = await listen(server)
  return {
    spans,
    text: () => received,
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'the-shop',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    first: (name) => vi.waitUntil(() => spans.find((span) => span.name === name), { timeout: 60_000 }),
    close: () => stop(server),
  }
}

const toSpan = ({ attributes, status, events, links, ...span }: OtlpSpan): ReceivedSpan => ({
  ...span,
  attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  isError: status.code === 2,
  others: [...events, ...links, ...(status.message ? [status.message] : [])],
})
