import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * The counters and histograms of this process. Each is created beside the code that it counts, when that module is
 * loaded. Labels have few values: never a path, an id or anything about a person. Prometheus itself adds the labels `job` and
 * `instance`.
 */
export const processMetrics = new Registry()

interface Description<Label extends string> {
  name: string
  help: string
  labelNames?: readonly Label[]
}

export function createCounter<Label extends string = never>(description: Description<Label>): Counter<Label> {
  return new Counter({ ...description, registers: [processMetrics] })
}

/** Creates a histogram of durations in seconds. */
export function createHistogram<Label extends string = never>(
  description: Description<Label> & { buckets?: number[] },
): Histogram<Label> {
  return new Histogram({ ...description, registers: [processMetrics] })
}

/**
 * Adds a gauge that is read at each scrape.
 *
 * @param read returns the values with their labels; they replace all values of the last scrape
 */
export function addGauge<Label extends string>(
  registry: Registry,
  {
    read,
    ...description
  }: Description<Label> & { read: () => Iterable<Reading<Label>> | Promise<Reading<Label>[]> },
): void {
  const gauge = new Gauge({
    ...description,
    registers: [],
    async collect() {
      this.reset()
      for (const { labels = {}, value } of await read()) this.set(labels, value)
    },
  })
  registry.registerMetric(gauge)
}

export interface Reading<Label extends string> {
  labels?: Partial<Record<Label, string>>
  value: number
}

const refusedRequests = createCounter({
  name: 'http_requests_refused_total',
  help: 'Requests refused because of the load, by the limit that was reached.',
  labelNames: ['reason'],
})

/** Counts a request or a connection that is refused because of the load. */
export const countRefused = (
  reason: 'requests' | 'bodies' | 'connections' | 'renders' | 'hashing' | 'uploads' | 'pictures' | 'unread',
): void => refusedRequests.inc({ reason })
