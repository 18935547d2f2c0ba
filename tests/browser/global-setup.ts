import { openShopProcesses } from '../shop-process.ts'
import { password } from './running-shop.ts'

/** Fills a demo shop once. Each worker starts its shops with a copy of the data, which takes half of the time. */
export default async function setup(): Promise<() => Promise<void>> {
  const processes = openShopProcesses()
  await processes.open({ DEMO_PASSWORD: password })
  await processes.stop()
  process.env.DEMO_DATA = processes.dataDir
  return processes.remove
}
