import { randomBytes } from 'node:crypto'

/** Returns 24 random hexadecimal characters. The first ones are random too, because screens show a prefix. */
export const newId = (): string => randomBytes(12).toString('hex')
