import { readFileSync } from 'node:fs'

/** The most memory that a process has ever taken, in MiB; 0 where the system does not tell. */
export const peakMemory = (pid: number): number => readStatus(pid, 'VmHWM')

function readStatus(pid: number, line: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}

/** Memory of a process after everything that no one needs was thrown away, in MiB. */
export interface Memory {
  /** As the system counts it; 0 where it does not tell. */
  resident: number
  /** What JavaScript holds, on its heap and outside of it. */
  held: number
}

/** A line to a process of Node that was started with `--inspect=127.0.0.1:<port>`. */
export interface Inspector {
  memory(): Promise<Memory>
  close(): void
}

export async function openInspector(pid: number, port: number): Promise<Inspector> {
  const targets = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await targets.json()) as { webSocketDebuggerUrl: string }[]
  const line = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    line.addEventListener('open', resolve)
    line.addEventListener('error', reject)
  })
  const waiting = new Map<number, (result: HeapUsage) => void>()
  line.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: HeapUsage }
    if (id) waiting.get(id)?.(result)
  })
  let last = 0
  const ask = (method: string) =>
    new Promise<HeapUsage>((resolve) => {
      waiting.set(++last, resolve)
      line.send(JSON.stringify({ id: last, method }))
    })

  return {
    async memory() {
      // What the first one lets go of lets go of more.
      for (const _ of [1, 2, 3]) await ask('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize } = await ask('Runtime.getHeapUsage')
      const held = (usedSize + backingStorageSize) / 1024 / 1024
      return { resident: readStatus(pid, 'VmRSS'), held }
    },
    close: () => line.close(),
  }
}

interface HeapUsage {
  usedSize: number
  backingStorageSize: number
}
