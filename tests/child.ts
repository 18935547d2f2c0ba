import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Account } from '../server/platform/embedded-postgres/account.ts'

export interface Child {
  pid: number
  /** Everything printed so far, errors too. */
  printed(): string
  /** The first line, from now or before, that the pattern matches. @throws when the process ends without it. */
  line(pattern: RegExp): Promise<string>
  /** Resolves when the process has ended: its code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
  signal(signal: NodeJS.Signals): void
  /** As Ctrl-C does: to the process and all that it started. Only for one that leads a group. */
  signalGroup(signal: NodeJS.Signals): void
  /** Ends it at once, with its group where it leads one, and waits for that; also where it has ended already. */
  kill(): Promise<void>
}

interface ChildOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** Whose rights it runs with, if not ours. */
  account?: Account | undefined
  /** Whether it leads a process group of its own, as a command typed into a terminal does. */
  detached?: boolean
}

/** Starts a program as a process of its own. */
export function startChild(program: string, args: string[], options: ChildOptions = {}): Child {
  const { account, ...rest } = options
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...rest, ...account })
  const lines: string[] = []
  const listeners = new Set<() => void>()
  const send = () => {
    for (const listener of listeners) listener()
  }
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      send()
    })
  }
  const ended = waitForEnd(child)
  let isOver = false
  const finish = () => {
    isOver = true
    send()
  }
  void ended.then(finish, finish)
  const signalGroup = (signal: NodeJS.Signals) => void (child.pid && process.kill(-child.pid, signal))
  return {
    pid: child.pid ?? 0,
    ended,
    printed: () => lines.join('\n'),
    signal: (signal) => void child.kill(signal),
    signalGroup,
    async kill() {
      if (isOver) return
      if (options.detached) signalGroup('SIGKILL')
      else child.kill('SIGKILL')
      await ended
    },
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line))
          if (found === undefined && !isOver) return
          listeners.delete(look)
          if (found === undefined) reject(new Error(`ended without ${pattern}:\n${lines.join('\n')}`))
          else resolve(found)
        }
        listeners.add(look)
        look()
      }),
  }
}

function waitForEnd(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0))
  })
}
