import { execFileSync } from 'node:child_process'
import {
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { routes } from '../contract/routes.ts'
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
  for (const line of ['log-format', 'http-request capture req.hdr(X-Request-Id)', 'timeout http-request'])
    expect(read('deploy/haproxy.cfg')).toContain(line)
  // This section checks the servers of a cluster: a single Postgres must not need it.
  expect(read('deploy/haproxy.cfg')).not.toContain('listen primary')
})

test('the proxies log the path of a call up to an email, and no parameters', () => {
  const [nginx, haproxy] = [read('deploy/nginx.conf'), read('deploy/haproxy.cfg')]
  expect(nginx.match(/log_format shop [^;]+/)?.[0]).toContain('"request":"$request_method $logged_path"')
  expect(haproxy).toContain('"%HM %{+E}[var(txn.logged_path)] %HV"')
  const beforeEmail = /"~(\^.+)" "\$path_before\*\*\*";/.exec(nginx)?.[1]
  const email = /set-var\(txn\.logged_path\) 'path,regsub\("(.+)",\*\*\*\)'/.exec(haproxy)?.[1]
  const calls = Object.values(routes).filter((route) => route.path.includes('{email}'))
  expect(calls.length).toBeGreaterThan(5)
  for (const call of calls) {
    const [before] = call.path.split('{email}')
    // nginx compares the decoded path, HAProxy the path as the client sends it.
    const decoded = call.path.replace('{email}', 'rider@shop.test')
    expect(new RegExp(beforeEmail ?? '').exec(decoded)?.groups).toEqual({ path_before: before })
    for (const sent of [decoded, decoded.replace('@', '%40')])
      expect(sent.replace(new RegExp(email ?? ''), '***')).toBe(`${before}***`)
  }
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

test('nginx creates its cache in a folder of its Debian package', () => {
  // It creates only the last folder of a path.
  const folder = /proxy_cache_path (\S+)/.exec(read('deploy/nginx.conf'))?.[1]
  expect(path.dirname(folder ?? '')).toBe('/var/lib/nginx')
})

test('nginx may open enough files for its connections and the cached response of each', () => {
  const [files, connections] = ['worker_rlimit_nofile', 'worker_connections'].map((name) =>
    Number(new RegExp(`\\b${name} (\\d+);`).exec(read('deploy/nginx.conf'))?.[1]),
  )
  expect(files).toBeGreaterThanOrEqual(3 * (connections ?? Number.NaN))
})

test('each service of systemd has limits', () => {
  const services = globSync('deploy/*.service', { cwd: project })
  expect(services).toHaveLength(3)
  for (const name of services)
    expect([name, read(name)]).toEqual([name, expect.stringMatching(/^MemoryMax=/m)])
})

test.each([
  [
    'torque-yard-web@',
    { NODE_ENV: 'production', ROLE: 'web', PORT: '3001', METRICS_PORT: '13001', MIGRATE: 'off' },
  ],
  ['torque-yard-worker@', { NODE_ENV: 'production', ROLE: 'worker', METRICS_PORT: '3001', MIGRATE: 'off' }],
  ['torque-yard-backup', { NODE_ENV: 'production', DATA_DIR: '/var/lib/torque-yard-backup' }],
])('%s.service overrides the settings file', (name, own) => {
  const [command = ''] = /(?<=^ExecStart=)(.|\\\n)+$/m.exec(read(`deploy/${name}.service`)) ?? []
  // As systemd starts it, without a shell; `env` prints the settings instead of starting Node.
  const words = command.replaceAll(/\\\n/g, '').replaceAll('%i', '3001').split(/ +/)
  const [program = '', ...args] = words.slice(0, words.indexOf('node_modules/.bin/node'))
  const file = Object.fromEntries(Object.keys(own).map((setting) => [setting, 'of the settings file']))
  const printed = execFileSync(program, args, { env: { ...file, SHOP_SECRET: 'secret' }, encoding: 'utf8' })
  const settings = Object.fromEntries(printed.split('\n').map((line) => line.split('=')))
  expect(settings).toMatchObject({ ...own, SHOP_SECRET: 'secret' })
})

test('systemd repeats failed starts without an end', () => {
  for (const name of ['web', 'worker'])
    expect(read(`deploy/torque-yard-${name}@.service`)).toMatch(/^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m)
})

describe('the backup service', () => {
  const [find = '', writeMetric = ''] = Array.from(
    read('deploy/torque-yard-backup.service').matchAll(/^ExecStartPost=(.+)$/gm),
    ([, command = '']) => command,
  )
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'backups-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('deletes backups older than 14 days, and what a killed backup has left', () => {
    const create = (name: string, days: number) => {
      writeFileSync(path.join(folder, name), '')
      utimesSync(path.join(folder, name), 0, Date.now() / 1000 - days * 24 * 60 * 60)
    }
    create('torque-yard-old.backup', 16)
    create('torque-yard-old.backup.71.partial', 16)
    create('torque-yard-new.backup', 13)
    create('torque-yard-new.backup.72.partial', 0)
    // As systemd starts it, without a shell.
    const [program = '', , ...args] = find.split(' ')
    execFileSync(program, [folder, ...args])
    expect(readdirSync(folder).toSorted()).toEqual([
      'torque-yard-new.backup',
      'torque-yard-new.backup.72.partial',
    ])
  })

  test('succeeds on a machine without node_exporter', () => {
    expect([find.startsWith('-'), writeMetric.startsWith('-')]).toEqual([false, true])
  })

  test('writes a metric that node_exporter, another user, can read', () => {
    const script = /^-\+\/bin\/sh -c '(.+)'$/.exec(writeMetric)?.[1] ?? ''
    // systemd reads %% and $$ as one character, and sets UMask for commands with a + too.
    const written = script
      .replaceAll(/([%$])\1/g, '$1')
      .replaceAll('/var/lib/prometheus/node-exporter', folder)
    execFileSync('/bin/sh', ['-c', `umask 077; ${written}`])
    expect(readdirSync(folder)).toEqual(['shop-backup.prom'])
    const file = path.join(folder, 'shop-backup.prom')
    expect(readFileSync(file, 'utf8')).toMatch(/^torque_yard_backup_timestamp_seconds \d{10}\n$/)
    expect((statSync(file).mode & 0o777).toString(8)).toBe('644')
  })
})

test('each service that serves HTTP may list network interfaces, as it does with HOST=0.0.0.0', () => {
  const servers = globSync('deploy/*.service', { cwd: project }).filter((name) =>
    read(name).includes('server/main.ts'),
  )
  expect(servers).toHaveLength(2)
  for (const name of servers)
    expect([name, read(name)]).toEqual([
      name,
      expect.stringMatching(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m),
    ])
})

describe('the compose file', () => {
  interface Service {
    mem_limit?: string
    logging?: object
    healthcheck?: object
    environment?: Record<string, string | number>
    ports?: string[]
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

  test('publishes the metrics of each process on this machine, where Prometheus reads them', () => {
    const processes = Object.values(services).filter(({ environment }) => environment?.METRICS_PORT)
    expect(processes).toHaveLength(3)
    for (const { ports } of processes) {
      const address = ports?.find((port) => port.endsWith(':9464'))?.replace(/:9464$/, '')
      expect(read('deploy/prometheus/prometheus.yml')).toContain(`'${address}'`)
    }
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

test('the documented migration on Kubernetes waits for its own job, for longer than the 30 s of kubectl', () => {
  const command = read('deploy/kubernetes/migrate.yml').match(/kubectl wait.+/)?.[0]
  expect(command).toMatch(/ --timeout=\d+h \$\(kubectl create -f migrate\.yml -o name\)$/)
})

test('the database of the compose file has the encoding and the locale of the embedded one', () => {
  const readLocale = (name: string) =>
    read(name)
      .match(/--(builtin-locale|locale-provider)=[\w.-]+/g)
      ?.toSorted()
  const embedded = readLocale('server/platform/embedded-postgres/cluster.ts')
  expect(embedded).toHaveLength(2)
  expect(readLocale('deploy/compose.yml')).toEqual(embedded)
  expect(read('deploy/compose.yml')).toContain('--encoding=UTF8')
})
