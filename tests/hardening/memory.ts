import { readFileSync } from 'node:fs'

/** Returns the peak resident memory of a process in MiB, or 0 on systems without /proc. */
export const peakMemory = (pid: number): number => readStatus(pid, 'VmHWM')
/** Returns the resident memory of a process in MiB, or 0 on systems without /proc. */
export const residentMemory = (pid: number): number => readStatus(pid, 'VmRSS')

function readStatus(pid: number, line: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

/** Memory of a process after garbage collection, in MiB. */
export interface Memory {
  /** Resident memory; 0 on systems without /proc. */
  resident: number
  /** The JavaScript heap and the buffers outside of it. */
  held: number
}

/** An inspector connection to a Node process that runs with `--inspect=127.0.0.1:<port>`. */
export interface Inspector {
  memory(): Promise<Memory>
  close(): void
}

export async function openInspector(pid: number, port: number): Promise<Inspector> {
  const targets = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await targets.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (result: HeapUsage) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: HeapUsage }
    if (id) waiting.get(id)?.(result)
  })
  let last = 0
  const ask = (method: string) =>
    new Promise<HeapUsage>((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method }))
    })

  return {
    async memory() {
      // One collection can make more objects unreachable, so run several.
      for (const _ of [1, 2, 3]) await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize } = await ask('Runtime.getHeapUsage')
      const held = (usedSize + backingStorageSize) / 1024 / 1024
      return { resident: residentMemory(pid), held }
    },
    close: () => socket.close(),
  }
}

interface HeapUsage {
  usedSize: number
  backingStorageSize: number
}
