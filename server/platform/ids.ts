import { randomBytes } from 'node:crypto'

/** A new id: 24 hexadecimal characters, random from the first. */
export const newId = (): string => randomBytes(12).toString('hex')
