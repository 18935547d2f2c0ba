import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { useTestShop } from './shop.ts'
import { project } from './shop-process.ts'

const read = (name: string) => readFileSync(path.join(project, name), 'utf8')

test('the file with the secrets of the documented step is in no commit and in no image', () => {
  expect(read('.gitignore').split('\n')).toContain('/settings')
  expect(read('.dockerignore').split('\n')).toContain('settings')
})

test('the proxies log requests with id, upstream and duration', () => {
  for (const variable of ['$request_id', '$upstream_addr', '$upstream_response_time', '$request_time'])
    expect(read('deploy/nginx.conf').match(/log_format shop [^;]+/)?.[0]).toContain(variable)
  for (const line of ['option httplog', 'http-request capture req.hdr(X-Request-Id)', 'timeout http-request'])
    expect(read('deploy/haproxy.cfg')).toContain(line)
  // This section checks the servers of a cluster: a single Postgres must not need it.
  expect(read('deploy/haproxy.cfg')).not.toContain('listen primary')
})

describe('HAProxy', () => {
  const shop = useTestShop()

  test('keeps a connection longer than nginx and the shop let a client reuse it', async () => {
    const { headers } = await fetch(`${shop.config.origin}/healthz`)
    const announced = Number(/^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '')?.[1])
    const nginxDefault = 60
    expect(read('deploy/nginx.conf')).toMatch(/keepalive \d+;/)
    expect(read('deploy/nginx.conf')).not.toContain('keepalive_timeout')
    for (const timeout of ['client', 'http-keep-alive']) {
      const seconds = Number(
        new RegExp(`^  timeout ${timeout} (\\d+)s$`, 'm').exec(read('deploy/haproxy.cfg'))?.[1],
      )
      expect(seconds).toBeGreaterThan(Math.max(announced, nginxDefault))
    }
  })
})

test('each service of systemd has limits', () => {
  const services = globSync('deploy/*.service', { cwd: project })
  expect(services).toHaveLength(3)
  for (const name of services)
    expect([name, read(name)]).toEqual([name, expect.stringMatching(/^MemoryMax=/m)])
})

describe('the compose file', () => {
  interface Service {
    mem_limit?: string
    logging?: object
    healthcheck?: object
    environment?: Record<string, string>
  }
  const { services } = parse(read('deploy/compose.yml'), { merge: true }) as {
    services: Record<string, Service>
  }

  test('limits memory and logs of each service', () => {
    for (const service of Object.values(services))
      expect(service).toMatchObject({ mem_limit: expect.any(String), logging: expect.any(Object) })
  })

  test.each(['web1', 'web2', 'worker', 'database'])('checks %s', (name) => {
    expect(services[name]?.healthcheck).toBeDefined()
  })

  test('does not override TRUSTED_PROXIES of the settings', () => {
    expect(JSON.stringify(services)).not.toContain('TRUSTED_PROXIES')
  })
})

test('on Kubernetes only Prometheus reaches the metrics, and both roles have a disruption budget', () => {
  const documents = globSync('deploy/kubernetes/*.yml', { cwd: project }).flatMap((name) =>
    parseAllDocuments(read(name)).map((document) => {
      expect([name, document.errors]).toEqual([name, []])
      return document.toJS() as { kind: string; spec: Record<string, unknown> }
    }),
  )
  const ofKind = (kind: string) => documents.filter((each) => each.kind === kind).map(({ spec }) => spec)
  expect(ofKind('PodDisruptionBudget')).toHaveLength(2)
  expect(ofKind('NetworkPolicy')).toMatchObject([
    {
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
          ports: [{ port: 9464 }],
        },
        { ports: [{ port: 3000 }] },
      ],
    },
  ])
  expect([ofKind('Ingress').length, ofKind('ScheduledBackup').length]).toEqual([1, 1])
})
