import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** More tags than this are not told apart any more: then everything counts as changed. */
const mostTags = 20_000

/** Names what an answer shows, before or after it is read: as long as none of it changes, the answer stays as it is. */
export type Shows = (...tags: string[]) => void

/**
 * What has changed in the database, and in which order this process heard of it. A tag stands for a part of the data,
 * such as one row; a moment is a number that only grows.
 */
export class Changes {
  #isHeard = false
  #moment = 0
  #everything = 0
  readonly #latest = new Map<string, number>()

  /** The present moment. Take it before reading what `since` is asked about later. */
  moment(): number {
    return this.#moment
  }

  /** @param notification tags with spaces between them, or `*` for everything */
  tell(notification: string): void {
    if (notification === '*' || this.#latest.size > mostTags) return this.tellEverything()
    this.#moment++
    for (const tag of notification.split(' ')) this.#latest.set(tag, this.#moment)
  }

  /** Changes are told from now on; what was missed until now may be anything. */
  hear(): void {
    this.#isHeard = true
    this.tellEverything()
  }

  /** Changes are not told any more: until they are again, anything may have changed. */
  miss(): void {
    this.#isHeard = false
  }

  tellEverything(): void {
    this.#everything = ++this.#moment
    this.#latest.clear()
  }

  /** Whether any of it may have changed after that moment. What has no tags at all never changes. */
  since(moment: number, tags: ReadonlySet<string>): boolean {
    if (tags.size === 0) return false
    if (!this.#isHeard || this.#everything > moment) return true
    if (moment === this.#moment) return false
    for (const tag of tags) if ((this.#latest.get(tag) ?? 0) > moment) return true
    return false
  }
}

/** Tells every process, when the transaction commits, that anything may have changed. */
export async function tellEverythingChanged(db: Kysely<Database>): Promise<void> {
  await sql`select tell_change('*')`.execute(db)
}
