/** Random numbers that are reproducible from a seed. */
export interface Random {
  /** Returns an integer from 0 to `end - 1`. */
  below(end: number): number
  /** Returns true with this probability: 0 never, 1 always. */
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** The generator mulberry32: small, and uniform enough for generated products and test plans. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    chance: (share) => next() < share,
    pick<Item>(items: readonly Item[]) {
      if (items.length === 0) throw new Error('no items to pick from')
      return items[below(items.length)] as Item
    },
  }
}
