import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './random.ts'
import { type EmbeddedShopUnderTest, type Process, type ShopUnderTest, untilTrue } from './shop-under-test.ts'

export type Victim = 'a process' | 'all processes' | 'postgres'

/** Duration of each recovery, in milliseconds. */
export interface Recoveries {
  shop: number[]
  postgres: number[]
}

const maxPauseMs = 2_500
const recoverWithinMs = 60_000

/** Returns the order of the kills. Every fourth kill of the shop, from the second on, hits all its processes. */
export function planKills(random: Random, counts: { shop: number; postgres: number }): Victim[] {
  const plan: Victim[] = Array.from({ length: counts.shop }, (_, index) =>
    index % 4 === 1 ? 'all processes' : 'a process',
  )
  for (let count = 0; count < counts.postgres; count++) {
    plan.splice(random.below(plan.length + 1), 0, 'postgres')
  }
  return plan
}

/** Sends SIGKILL to each victim after a random pause, and waits until the shop is ready again. */
export async function killAll(
  shop: EmbeddedShopUnderTest,
  plan: Victim[],
  random: Random,
  print: (progress: string) => void,
): Promise<Recoveries> {
  const recoveries: Recoveries = { shop: [], postgres: [] }
  for (const victim of plan) {
    await delay(random.below(maxPauseMs))
    const took =
      victim === 'postgres' ? await killPostgres(shop) : await killShop(listVictims(shop, victim, random))
    recoveries[victim === 'postgres' ? 'postgres' : 'shop'].push(took)
    print(`killed ${victim}; served again after ${Math.round(took)} ms`)
  }
  return recoveries
}

function listVictims(shop: ShopUnderTest, victim: Victim, random: Random): Process[] {
  return victim === 'a process' ? [random.pick(shop.processes)] : shop.processes
}

async function killShop(victims: Process[]): Promise<number> {
  const began = performance.now()
  await Promise.all(victims.map((process) => process.kill()))
  await Promise.all(victims.map((process) => process.start()))
  await untilReady(victims)
  return performance.now() - began
}

/** Does not restart Postgres: the shop must do so. */
async function killPostgres({ postgres, processes }: EmbeddedShopUnderTest): Promise<number> {
  const [began, pid] = [performance.now(), postgres.pid()]
  postgres.kill()
  await untilTrue(async () => postgres.pid() !== pid, recoverWithinMs, 'restarting Postgres')
  await untilReady(processes)
  return performance.now() - began
}

async function untilReady(processes: Process[]): Promise<void> {
  const allReady = async () =>
    (await Promise.all(processes.map((process) => process.isReady()))).every(Boolean)
  await untilTrue(allReady, recoverWithinMs, 'serving again')
}
