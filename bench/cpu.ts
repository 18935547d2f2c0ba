import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of /proc per second, on all systems that Node supports. */
const ticksPerSecond = 100

interface Stat {
  parent: number
  /** CPU time of the process and its threads, in ticks. */
  own: number
  /** CPU time of its children that have ended. */
  ended: number
}

/** Returns the CPU time of a process and its children since their start, in milliseconds. Linux only. */
export function readCpuMs(pid: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(Number(name))
      return stat ? [{ pid: Number(name), ...stat }] : []
    })
  const ticks = all
    .filter((each) => each.pid === pid || each.parent === pid)
    .reduce((sum, { own, ended }) => sum + own + ended, 0)
  return (ticks * 1000) / ticksPerSecond
}

/** Returns undefined if the process has ended. */
function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may contain spaces and parentheses. The first field after it is the third one.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number: number) => Number(fields[number - 3])
    return { parent: field(4), own: field(14) + field(15), ended: field(16) + field(17) }
  } catch {
    return undefined
  }
}
