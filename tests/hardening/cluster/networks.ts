import { execFileSync } from 'node:child_process'
import { cleanup } from '../cleanup.ts'

/** Two networks on this machine. Each member is in a network namespace of its own, with one link into each network. */
export interface Networks {
  /** Between the members and etcd. */
  cluster: Network
  /** Between the members and HAProxy. */
  clients: Network
  /** Returns the command prefix that runs a program in the namespace of a member. */
  enter(index: number): string[]
  /** Returns the process ids in the namespace of a member. */
  listPids(index: number): number[]
}

export interface Network {
  /** The IP of this process. */
  ip: string
  /** The IP of each member. */
  members: readonly string[]
  /** Drops all packets of a member, like a pulled cable. */
  cut(index: number): void
  join(index: number): void
}

/** Requires root. `cleanup` removes the networks. */
export function openNetworks(members: number): Networks {
  // Several runs at once have different networks.
  const run = process.pid % 250
  const getNamespace = (index: number) => `shop${run}-pg${index + 1}`
  const indexes = Array.from({ length: members }, (_, index) => index)
  for (const index of indexes) {
    ip('netns', 'add', getNamespace(index))
    cleanup.add(async () => ip('netns', 'delete', getNamespace(index)))
    ip('-netns', getNamespace(index), 'link', 'set', 'lo', 'up')
  }

  function openNetwork(inside: string, subnet: string): Network {
    const bridge = `shop${run}-${inside}`
    const getLink = (index: number) => `${bridge}-${index + 1}`
    const join = (index: number) => ip('link', 'set', getLink(index), 'master', bridge, 'up')
    ip('link', 'add', bridge, 'type', 'bridge')
    cleanup.add(async () => ip('link', 'delete', bridge))
    ip('address', 'add', `${subnet}.1/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    const ips = indexes.map((index) => {
      const namespace = getNamespace(index)
      ip('link', 'add', getLink(index), 'type', 'veth', 'peer', 'name', inside, 'netns', namespace)
      ip('-netns', namespace, 'address', 'add', `${subnet}.${index + 11}/24`, 'dev', inside)
      ip('-netns', namespace, 'link', 'set', inside, 'up')
      join(index)
      return `${subnet}.${index + 11}`
    })
    const cut = (index: number) => ip('link', 'set', getLink(index), 'nomaster')
    return { ip: `${subnet}.1`, members: ips, cut, join }
  }

  return {
    cluster: openNetwork('eth0', `10.46.${run}`),
    clients: openNetwork('eth1', `10.47.${run}`),
    enter: (index) => ['ip', 'netns', 'exec', getNamespace(index)],
    listPids: (index) => ip('netns', 'pids', getNamespace(index)).split('\n').filter(Boolean).map(Number),
  }
}

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' })
