import { openRandom, type Random } from '../../seed/random.ts'

export { openRandom, type Random }

/** A separate sequence per index, so that concurrent tasks do not affect each other. */
export const randomFor = (seed: number, index: number): Random => openRandom(seed * 7919 + index)

/** Returns the items in an order of which each is equally likely (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const mixed = [...items]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    ;[mixed[last], mixed[other]] = [mixed[other] as Item, mixed[last] as Item]
  }
  return mixed
}
