import { StartupError } from '../platform/errors.ts'

export type Environment = Record<string, string | undefined>

/** Reads and validates environment variables. A blank value counts as missing. */
export class Settings {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: string): string | null {
    return this.#environment[name]?.trim() || null
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name)
    if (text === null) return fallback
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new StartupError(`${name} is '${text}'. Set it to a whole number from ${min} to ${max}.`)
    }
    return value
  }

  flag(name: string, fallback: boolean): boolean {
    const text = this.choice(name, ['1', '0', 'true', 'false'])
    return text === null ? fallback : text === '1' || text === 'true'
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    const text = this.text(name)
    if (text === null) return null
    const choice = choices.find((each) => each === text)
    if (choice) return choice
    throw new StartupError(`${name} is '${text}'. Set it to ${choices.join(' or ')}, or remove it.`)
  }

  /** Returns a URL with one of these schemes. Error messages do not contain it: it may hold a password. */
  url(name: string, protocols: string[]): string | null {
    const text = this.text(name)
    if (text === null || isUrl(text, protocols)) return text
    throw new StartupError(
      `${name} is not a URL that starts with ${protocols[0]}//. Correct or remove it.${toHint(text)}`,
    )
  }

  /** Returns the URLs of a list that is separated by commas. */
  urls(name: string, protocols: string[]): string[] {
    const texts = this.#list(name)
    const wrong = texts.find((text) => !isUrl(text, protocols))
    if (wrong === undefined) return texts
    throw new StartupError(
      `${name} has an entry that is not a URL that starts with ${protocols[0]}//. Correct it, and separate them by commas.${toHint(wrong)}`,
    )
  }

  /** Returns the origin of a URL that has no path or query. */
  origin(name: string): string | null {
    const text = this.url(name, ['http:', 'https:'])
    if (text === null) return null
    const { origin, pathname, search } = new URL(text)
    if (pathname === '/' && !search) return origin
    throw new StartupError(
      `${name} must not have a path. Set it to the origin of the shop, such as ${origin}.`,
    )
  }

  secret(name: string, min: number): string | null {
    const text = this.text(name)
    if (text === null || text.length >= min) return text
    throw new StartupError(`${name} is too short. Use at least ${min} characters, or remove it.`)
  }

  /** Returns the secrets of a list that is separated by commas. */
  secrets(name: string, min: number): string[] {
    const texts = this.#list(name)
    if (texts.every((text) => text.length >= min)) return texts
    throw new StartupError(
      `${name} has a secret that is too short. Use at least ${min} characters for each, and separate them by commas.`,
    )
  }

  #list(name: string): string[] {
    const texts = this.text(name)?.split(',') ?? []
    return texts.map((text) => text.trim())
  }

  allOrNone<Key extends string>(names: Record<Key, string>): Record<Key, string> | null {
    const entries = Object.entries<string>(names).map(([key, name]) => [key, name, this.text(name)] as const)
    const missing = entries.filter(([, , value]) => value === null).map(([, name]) => name)
    if (missing.length === entries.length) return null
    if (missing.length > 0) {
      throw new StartupError(`${missing.join(' and ')} is missing. Set all of these settings or none.`)
    }
    return Object.fromEntries(entries.map(([key, , value]) => [key, value])) as Record<Key, string>
  }
}

function isUrl(text: string, protocols: string[]): boolean {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) && url.host !== ''
}

/** A `/`, `?` or `#` in the password ends the host, so that the rest of the URL is not valid. */
const toHint = (text: string) =>
  text.includes('@') && !URL.canParse(text)
    ? ' Percent-encode special characters in the password, for example %23 for #.'
    : ''
