import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, toCaller } from '../call.ts'
import { startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import { openHttpProxy } from '../proxy.ts'
import { project } from '../shop-process.ts'
import type { Size } from './check.ts'
import { cleanup } from './cleanup.ts'

/** Forwards each request to a web process that is ready. */
export interface Balancer extends Caller {
  origin: string
  /** Returns the role and port of each process. Workers have any free ports. Web processes come first. */
  assignPorts(roles: readonly string[]): Promise<Record<'ROLE' | 'PORT', string>[]>
  /** Name and version. */
  name: string
}

/** Opens HAProxy with `deploy/haproxy.cfg` in full size if it is installed, or else a small balancer of this process. */
export async function openBalancer(size: Size, webs: number): Promise<Balancer> {
  const webPorts = await Promise.all(Array.from({ length: webs }, () => freePort()))
  const version = size === 'full' ? findHaproxyVersion() : null
  const origin = version ? await openHaproxy(webPorts) : await openSmallBalancer(webPorts)
  return {
    ...toCaller(origin),
    origin,
    name: version ? `HAProxy ${version}` : 'a small balancer',
    assignPorts: (roles) =>
      Promise.all(
        roles.map(async (ROLE, index) => ({ ROLE, PORT: String(webPorts[index] ?? (await freePort())) })),
      ),
  }
}

function findHaproxyVersion(): string | null {
  const { stdout } = spawnSync('haproxy', ['-v'], { encoding: 'utf8' })
  return /version ([\d.]+)/.exec(stdout ?? '')?.[1] ?? null
}

async function openHaproxy(webPorts: readonly number[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'haproxy-'))
  cleanup.add(async () => rmSync(folder, { recursive: true }))
  const port = await freePort()
  const servers = (suffix: string, options: string) =>
    webPorts.map((each, index) => `  server web${index + 1}${suffix} 127.0.0.1:${each} ${options}`).join('\n')
  const configuration = readFileSync(path.join(project, 'deploy/haproxy.cfg'), 'utf8')
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replaceAll(
      /^ {2}server web1(\S*) 127\.0\.0\.1:3001 (.+)\n {2}server web2.+$/gm,
      (_, suffix: string, options: string) => servers(suffix, options),
    )
    // Lines that only a service needs. The log would fill the memory of the check.
    .replaceAll(/^ {2}(user|group|stats socket|log stdout) .+\n/gm, '')
  const file = path.join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration)
  const child = startChild('haproxy', ['-db', '-f', file])
  cleanup.add(child.kill)
  return `http://localhost:${port}`
}

const checkIntervalMs = 100
const checkTimeoutMs = 1_000

async function openSmallBalancer(webPorts: readonly number[]): Promise<string> {
  const targets = webPorts.map((port) => `http://127.0.0.1:${port}`)
  const proxy = await openHttpProxy(targets)
  const ready = new Set<string>()
  const over = new AbortController()

  async function watchReadiness(target: string): Promise<void> {
    while (!over.signal.aborted) {
      const isReady = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(checkTimeoutMs) }).then(
        async (response) => (await response.text()) !== '' && response.ok,
        () => false,
      )
      if (isReady) ready.add(target)
      else ready.delete(target)
      proxy.targets = ready.size > 0 ? [...ready] : targets
      await delay(checkIntervalMs)
    }
  }

  const watching = Promise.all(targets.map(watchReadiness))
  cleanup.add(async () => {
    over.abort()
    await watching
    await proxy.close()
  })
  return `http://localhost:${new URL(proxy.url).port}`
}
