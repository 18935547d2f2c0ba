import type { IncomingHttpHeaders } from 'node:http'
import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { hasCode, StartupError } from '../errors.ts'

/**
 * Traces of OpenTelemetry (decision 45). Until `startTracing`, nothing is recorded. Spans have patterns and placeholders
 * only: never a path, a query string, a value of a statement, or anything about a person.
 */
const tracer = trace.getTracer('torque-yard')
let isTracing = false

/** Installed by operators who want traces. Not a literal, because the types may be missing too. */
const sdkPackage = '@opentelemetry/sdk-node'

interface Sdk {
  start(): void
  shutdown(): Promise<void>
}

/** At shutdown the last spans are lost after this time. */
const flushTimeoutMs = 2_000

/**
 * Starts to record and export spans. The SDK itself reads the `OTEL_…` variables. Metrics and logs stay with
 * Prometheus and the standard output.
 *
 * @returns sends the last spans
 * @throws StartupError if the SDK is not installed
 */
export async function startTracing(): Promise<() => Promise<void>> {
  const { NodeSDK } = await importSdk()
  const sdk = new NodeSDK({ instrumentations: [], metricReaders: [], logRecordProcessors: [] })
  sdk.start()
  isTracing = true
  return async () => {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, flushTimeoutMs).unref())
    await Promise.race([sdk.shutdown().catch(() => undefined), timeout])
  }
}

async function importSdk(): Promise<{ NodeSDK: new (options: object) => Sdk }> {
  try {
    return await import(sdkPackage)
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error
    // The version that the tests use.
    const { default: project } = await import('../../../package.json', { with: { type: 'json' } })
    const version = project.devDependencies[sdkPackage]
    throw new StartupError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but ${sdkPackage} is not installed. Run npm install --no-save --save-prod --omit=dev ${sdkPackage}@${version}, or remove the setting.`,
      { cause: error },
    )
  }
}

/**
 * Runs work in a span, which is the parent of spans that the work starts. Error messages are omitted, because they
 * may contain a row.
 */
function withSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * Runs a job or a call of another service in a span.
 *
 * @param work may set an outcome other than `failure` before it throws
 */
export function withOutcomeSpan<Result>(
  kind: 'job' | 'call',
  name: string,
  work: (span: Pick<Span, 'setAttribute'>) => Promise<Result>,
): Promise<Result> {
  const options = {
    kind: kind === 'call' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    attributes: { 'shop.outcome': 'failure' },
  }
  return withSpan(name, options, async (span) => {
    const result = await work(span)
    span.setAttribute('shop.outcome', 'success')
    return result
  })
}

/** Adds an attribute to the current span, if there is one. */
export function addToSpan(name: 'shop.cache' | 'shop.items', value: string | number): void {
  trace.getActiveSpan()?.setAttribute(name, value)
}

/** Returns the id of the current trace; undefined without tracing. */
export const findTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId

/** Returns the headers that continue the current trace in another service; none without tracing. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}

interface RequestSpan {
  /** Runs the rest of the request in the span. */
  run(next: () => void): void
  end(status: number): void
}

/**
 * Starts the span of a request; undefined without tracing.
 *
 * @param route its pattern
 * @param headers the headers if they come from a trusted proxy, whose `traceparent` is continued; other clients could
 * join or flood foreign traces
 */
export function startRequestSpan(
  method: string,
  route: string,
  { traceparent, tracestate }: IncomingHttpHeaders,
): RequestSpan | undefined {
  if (!isTracing) return undefined
  // No other header: baggage would be passed on to the payment provider.
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent, tracestate })
  const attributes = { 'http.request.method': method, 'http.route': route }
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
  return {
    run: (next) => context.with(trace.setSpan(parent, span), next),
    end(status) {
      span.setAttribute('http.response.status_code', status)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** Runs a statement in a span, if it belongs to a trace: polls and heartbeats would be traces of one span each. */
export function withStatementSpan<Result>(
  text: string,
  pool: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (!trace.getActiveSpan()?.isRecording()) return run()
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text, 'shop.pool': pool }
  return withSpan(nameStatement(text), { kind: SpanKind.CLIENT, attributes }, run)
}

const table = /(?<table>"?\w+\b"?(?:\."?\w+\b"?)?)/.source
const written = new RegExp(
  String.raw`\b(?<operation>insert|delete|(?<!\b(?:for|key|do)\s)update)\s+(?:into\s+|from\s+)?${table}`,
  'i',
)
const read = new RegExp(String.raw`(?<!distinct\s|extract\(\w+\s)\bfrom\s+${table}(?!\w*\s*\()`, 'i')

/** Returns the operation of a statement with the first table that it changes, or else reads. */
export function nameStatement(text: string): string {
  const { operation = 'select', table } = (written.exec(text) ?? read.exec(text))?.groups ?? {}
  if (table) return `${operation.toLowerCase()} ${table.replaceAll('"', '')}`
  return /\w+/.exec(text)?.[0].toLowerCase() ?? 'statement'
}
