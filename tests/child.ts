import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Account } from '../server/platform/embedded-postgres/server-folder.ts'

export interface Child {
  pid: number
  /** Returns the output so far, including stderr. */
  printed(): string
  /** Resolves to the first matching line, including earlier output. @throws if the process ends without it */
  line(pattern: RegExp): Promise<string>
  /** Resolves to the exit code, or to the signal that ended the process. */
  ended: Promise<number | NodeJS.Signals>
  signal(signal: NodeJS.Signals): void
  /** Sends a signal to the process group, like Ctrl-C. Requires `detached`. */
  signalGroup(signal: NodeJS.Signals): void
  /** Kills the process, with its group if `detached`, and waits for the end. Also works after the end. */
  kill(): Promise<void>
}

interface ChildOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** User to run as; by default the current one. */
  account?: Account | undefined
  /** Starts a new process group, like a command in a terminal. */
  detached?: boolean
}

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
        const check = () => {
          const found = lines.find((line) => pattern.test(line))
          if (found === undefined && !isOver) return
          listeners.delete(check)
          if (found === undefined) reject(new Error(`ended without ${pattern}:\n${lines.join('\n')}`))
          else resolve(found)
        }
        listeners.add(check)
        check()
      }),
  }
}

function waitForEnd(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0))
  })
}
